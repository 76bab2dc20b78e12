interface ToolEvent {
  readonly tool: { readonly name: string; readonly input: { readonly file_path?: string } };
}

const seen = new Set<string>();

export default ({ tool }: ToolEvent): { verdict?: "ask"; reason?: string } => {
  const file = tool.input.file_path ?? "";
  if (tool.name === "read") seen.add(file);
  if (tool.name === "read" || seen.has(file)) return {};
  return { verdict: "ask", reason: `${file} was not read in this session` };
};
