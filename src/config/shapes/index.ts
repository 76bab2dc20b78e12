import type { Shape } from "../../dialects/dialect.ts";
import { flat, native } from "./flat.ts";
import { namedGroups, typedGroups } from "./groups.ts";
import type { ShapeReader } from "./shape.ts";
import { strings } from "./strings.ts";

/** How each shape of entries is read. */
export const SHAPES: { readonly [shape in Shape]: ShapeReader } = { strings, "named-groups": namedGroups, "typed-groups": typedGroups, flat, native };
