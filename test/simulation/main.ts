import { describeFailure, runSeed } from './run-seed.js';
const seeds = process.argv.slice(2).map(Number);
const [from = 1, to = from] = seeds;
const started = performance.now();
let failures = 0;
let steps = 0;
for (let seed = from; seed <= to; seed++) {
  const result = await runSeed(seed);
  steps += result.steps;
  if (result.failure !== undefined) {
    failures++;
    console.log(describeFailure(result, result.failure));
    if (failures >= 1) break;
  }
}
console.log({ failures, steps, ms: performance.now() - started });
