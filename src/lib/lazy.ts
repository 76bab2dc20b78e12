/** Makes a value at the first call and keeps it: a table that most starts never look into costs them nothing. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
