/** What a JSON Schema lets stand at a place: names of properties, or the values of an enumeration. */

type Schema = Readonly<Record<string, unknown>>;

/** Words for the place that the keys lead to; none where the schema says nothing. */
export function schemaWords(schema: unknown, path: readonly string[]): readonly string[] {
  let places = unfold(schema, schema);
  for (const key of path) places = places.flatMap((place) => unfold(childOf(place, key), schema));
  return [...new Set(places.flatMap((place) => [...wordsOf(place), ...unfold(place["items"], schema).flatMap(wordsOf)]))].sort();
}

function childOf(place: Schema, key: string): unknown {
  const properties = place["properties"];
  if (isSchema(properties) && Object.hasOwn(properties, key)) return properties[key];
  return place["additionalProperties"];
}

function wordsOf(place: Schema): readonly string[] {
  const properties = place["properties"];
  const values = Array.isArray(place["enum"]) ? place["enum"].filter((value): value is string => typeof value === "string") : [];
  return [...(isSchema(properties) ? Object.keys(properties) : []), ...values];
}

/** A schema with all that it refers to, chooses from or lists. */
function unfold(value: unknown, root: unknown, depth = 0): readonly Schema[] {
  if (!isSchema(value) || depth > 8) return [];
  const target = typeof value["$ref"] === "string" ? resolve(value["$ref"], root) : undefined;
  const choices = ["anyOf", "oneOf", "allOf"].flatMap((word) => (Array.isArray(value[word]) ? value[word] : []));
  return [value, ...[target, ...choices, value["items"]].flatMap((each: unknown) => unfold(each, root, depth + 1))];
}

function resolve(reference: string, root: unknown): unknown {
  let place: unknown = root;
  for (const key of reference.replace(/^#\//, "").split("/")) place = isSchema(place) ? place[key] : undefined;
  return place;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
