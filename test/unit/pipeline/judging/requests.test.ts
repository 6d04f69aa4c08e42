import { expect, test } from 'vitest';
import { currentRules } from '../../../../src/domain/network/network-rules.js';
import { createJudgeRequest } from '../../../../src/pipeline/judging/requests.js';
import { type Judge, JudgeError } from '../../../../src/ports/judge.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { codeOfAsync } from '../../../support/codes.js';

function failing(reason: JudgeError['reason']): Judge {
  return {
    now: () => undefined,
    ask: () => Promise.reject(new JudgeError(reason, 'no answer')),
    close: () => Promise.resolve(),
  };
}

const reasons = [
  ['busy', 'PY1012'],
  ['late', 'PY1013'],
  ['died', 'PY1013'],
  ['stopped', 'PY1010'],
] as const;

test.each(reasons)('a request is refused if the judgement is %s, with %s', async (reason, code) => {
  const judgeRequest = createJudgeRequest(failing(reason));
  const question = { schema: textOf({}), rules: currentRules.validation };
  expect(await codeOfAsync(() => judgeRequest('schema', question, 'the schema'))).toBe(code);
});
