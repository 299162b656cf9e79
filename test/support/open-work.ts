/** Work that runs until the test ends it, and notes its name when it starts. */
export function openWork(started: string[] = [], name = "") {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => (started.push(name), ended), end };
}

/** Makes every turn of this process's event loop take 0.4 s, until the function that it returns is called. */
export function keepBusy(): () => void {
  let isBusy = true;
  const spin = () => {
    const end = performance.now() + 400;
    while (performance.now() < end);
    if (isBusy) setTimeout(spin, 1);
  };
  spin();
  return () => {
    isBusy = false;
  };
}
