// Preloaded into a process (`--import`): SIGUSR2 sets its clock an hour ahead, SIGHUP an hour back, SIGWINCH right again. As a
// step of the system's clock does, it moves Date, and neither timers nor performance.now().
const hour = 3_600_000;
const RealDate = Date;
let offset = 0;

class SteppedDate extends RealDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [SteppedDate.now()] : args) as [number]));
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}
globalThis.Date = SteppedDate as DateConstructor;

for (const [signal, to] of [
  ["SIGUSR2", hour],
  ["SIGHUP", -hour],
  ["SIGWINCH", 0],
] as const) {
  process.on(signal, () => {
    offset = to;
    console.log(`the clock is set by ${to} ms`);
  });
}
