import type { Check } from "../check.ts";
import { conditions } from "./conditions.ts";
import { duplicates } from "./duplicates.ts";
import { headers } from "./headers.ts";
import { matchers } from "./matchers.ts";
import { patterns } from "./patterns.ts";
import { rules } from "./rules.ts";
import { scripts } from "./scripts.ts";
import { urls } from "./urls.ts";

/** Every check of `snaphook lint`. To add one: its file, and its row here. */
export const CHECKS: readonly Check[] = [scripts, matchers, patterns, conditions, duplicates, headers, urls, rules];
