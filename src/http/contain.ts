/**
 * Runs work triggered from outside. Its exceptions, synchronous or not, are passed to `onDefect`, since an uncaught one
 * would end the process and everything that it serves.
 */
export function contain(work: () => unknown, onDefect: (error: unknown) => void): void {
  const run = async (): Promise<void> => {
    await work();
  };
  run().catch(onDefect);
}
