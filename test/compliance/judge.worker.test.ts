import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createWorkerJudge } from '../../src/adapters/judge/worker.js';
import { compiled } from '../support/compiled.js';
import { describeJudge } from './judge.js';

const thread = compiled('src/adapters/judge/thread.ts');

describeJudge('worker', () => createWorkerJudge({ log: createSilentLog(), thread }));
