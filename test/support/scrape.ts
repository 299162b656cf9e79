/** Reads the metrics of the process whose admin port is at this address. */
export async function scrape(adminUrl: string) {
  const reply = await fetch(`${adminUrl}/metrics`);
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${adminUrl} answered ${reply.status}: ${text}`);
  const lines = text.split("\n").filter((line) => line !== "");
  const samples = lines.filter((line) => !line.startsWith("#"));
  const values = new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
  return {
    /** The names of all metrics. */
    names: new Set(lines.filter((line) => line.startsWith("# TYPE ")).map((line) => line.split(" ")[2] as string)),
    /** Every sample as written: `name{label="value"} 1`. */
    lines: samples,
    /** The value of a sample, by its name with its labels; 0 when there is none. */
    value: (sample: string) => values.get(sample) ?? 0,
  };
}
