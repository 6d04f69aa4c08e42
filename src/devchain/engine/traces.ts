/** The gas of blocks whose traces may stay in memory. A mint of tokens takes 40,000 and leaves 0.4 MB. */
const maxTracedGas = 500_000;

/**
 * Returns a function to call with the gas of each block. The engine's response to mining holds every step of its
 * transactions in native memory until the object is collected, and to V8 that object looks small. So young objects are
 * collected regularly, and the engine reuses its memory.
 */
export function createTraceLimit(collect: () => void): (gasUsed: number) => void {
  let tracedGas = 0;
  return (gasUsed) => {
    tracedGas += gasUsed;
    if (tracedGas < maxTracedGas) return;
    tracedGas = 0;
    collect();
  };
}
