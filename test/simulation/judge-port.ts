import { createDirectJudge } from '../../src/adapters/judge/direct.js';
import { sha256 } from '../../src/domain/hash.js';
import { type Judge, JudgeError } from '../../src/ports/judge.js';
import { textOf } from '../../src/wire/json/json.js';
import type { Life, Simulator } from './life.js';
import { delayOf } from './time.js';

/**
 * The judge of one life. In seeds with failing judgements nothing is judged directly, and a judgement may be given up
 * before it begins or after it ends. Each fails only once at a party, so that none is held. `failed` outlives the life.
 */
export function simulateJudge(simulator: Simulator, life: Life, failed: Set<string>): Judge {
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  const direct = createDirectJudge();
  let open = 0;
  life.onEnd(() => {
    if (open > 0) sometimes('death during a judgement');
  });

  function fault(question: string): { readonly leg: 'request' | 'reply'; readonly error: Error } | undefined {
    if (failed.has(question) || random.fraction() >= faults().judgementFailed) return undefined;
    failed.add(question);
    sometimes('judgement given up');
    const reason = random.fraction() < 0.5 ? 'died' : 'late';
    const error = new JudgeError(reason, 'The thread has ended (a simulated fault).');
    return { leg: random.fraction() < 0.5 ? 'request' : 'reply', error };
  }

  return {
    now: (kind, input) => (faults().judgementFailed > 0 ? undefined : direct.now(kind, input)),
    async ask(kind, input, asking) {
      if (faults().judgementFailed === 0) return direct.ask(kind, input, asking);
      const lost = asking.lane === 'requests' ? undefined : fault(`${kind} ${sha256(textOf(input))}`);
      const requestMs = delayOf(simulator, faults().delayMs.page);
      open += 1;
      try {
        return await life.call(`judge ${kind}`, () => direct.ask(kind, input, asking), {
          requestMs,
          ...(lost !== undefined && { lost }),
        });
      } finally {
        open -= 1;
      }
    },
    close: () => direct.close(),
  };
}
