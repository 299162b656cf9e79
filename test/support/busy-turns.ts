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
