import { createDirectJudge } from '../../src/adapters/judge/direct.js';
import { describeJudge } from './judge.js';

describeJudge('direct', () => createDirectJudge());
