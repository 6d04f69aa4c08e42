/**
 * Runs the work that something from outside has set off. Nothing that it throws, at once or later, leaves it as an
 * exception, which would end the process and with it everything that the process serves.
 */
export function contain(work: () => unknown, onDefect: (error: unknown) => void): void {
  const run = async (): Promise<void> => {
    await work();
  };
  run().catch(onDefect);
}
