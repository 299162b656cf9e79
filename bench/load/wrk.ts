import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connections, type Draw, type Load, type Measured } from "./load.ts";

const run = promisify(execFile);

/** Load with wrk, one thread of it: on two cores the other one is for the measured server. */
export const wrkLoad: Load = async (url, draw, seconds) => {
  const folder = mkdtempSync(join(tmpdir(), "roost-wrk-"));
  try {
    const script = join(folder, "draw.lua");
    writeFileSync(script, luaScript(draw));
    const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script];
    const { stdout } = await run("wrk", [...options, url], { maxBuffer: 16 * 1024 * 1024 });
    return readReport(stdout, draw.status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

// Requests are formatted before the measurement starts; then the script only picks the next one.
function luaScript({ targets, order }: Draw): string {
  const lines = targets.map(({ path, headers, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`);
    return `{${quote(path)},{${fields.join(",")}},${body === undefined ? "nil" : quote(body)}}`;
  });
  return `
local targets = {${lines.join(",\n")}}
local order = {}
for index in (${quote([...order].join(" "))}):gmatch("%d+") do order[#order + 1] = tonumber(index) + 1 end
local requests, at = {}, 0
function init()
  local host = wrk.headers["Host"]
  for index, target in ipairs(targets) do
    target[2]["Host"] = host
    requests[index] = wrk.format(target[3] and "POST" or "GET", target[1], target[2], target[3])
  end
end
function request()
  at = at % #order + 1
  return requests[order[at]]
end
function done(summary, latency)
  local e = summary.errors
  print(string.format("report %d %d %f %d %d", summary.requests, summary.duration,
    latency:percentile(99), e.connect + e.read + e.write + e.timeout, e.status))
end
`;
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

/** Parses the line that the script prints: a count, microseconds, then errors without replies, and replies of 400 and above. */
function readReport(output: string, status: number): Measured {
  const numbers = /^report (\S+) (\S+) (\S+) (\S+) (\S+)$/m.exec(output)?.slice(1).map(Number);
  if (numbers === undefined) throw new Error(`wrk did not end well:\n${output}`);
  const [requests, duration, p99, failed, refused] = numbers as [number, number, number, number, number];
  const errors = failed + (status < 400 ? refused : requests - refused);
  if (errors > 0 || requests === 0) throw new Error(`${errors} of ${requests} requests failed`);
  return { requests, perSecond: (requests * 1e6) / duration, p99: p99 / 1e3 };
}
