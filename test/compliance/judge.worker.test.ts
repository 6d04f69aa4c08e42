import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createWorkerJudge } from '../../src/adapters/judge/worker.js';
import { threadProgram } from '../../src/adapters/judge/program.js';
import { judgeThread } from '../support/judge-thread.js';
import { describeJudge } from './judge.js';

describeJudge('worker', () => createWorkerJudge({ log: createSilentLog(), thread: judgeThread }));

const thread = threadProgram(judgeThread.href);
describeJudge('worker of one file', () => createWorkerJudge({ log: createSilentLog(), thread }));
