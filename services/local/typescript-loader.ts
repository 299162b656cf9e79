/** Options for Node to run our sources: none where it strips types by itself (22.18 and newer), else tsx. */
export function typeScriptLoader(): string[] {
  const { typescript } = process.features as { typescript?: false | "strip" | "transform" };
  return typescript ? [] : ["--import", import.meta.resolve("tsx")];
}
