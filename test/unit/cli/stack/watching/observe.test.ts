import { expect, it } from 'vitest';
import { rulesText } from '../../../../../src/cli/stack/watching/observe.js';

it('a status says in one line which limits a network of an earlier version lacks, and nothing of others', () => {
  const whole = { rules: { absent: [], guard: 'limits' as const } };
  const old = { rules: { absent: ['maxInterfaceEvents', 'validationBudget'], guard: 'watch' as const } };
  expect(rulesText([])).toBeUndefined();
  expect(rulesText([{ rules: null }, whole])).toBeUndefined();
  const text = rulesText([{ rules: null }, old, old]);
  expect(text).toContain('2 limits');
  expect(text).toContain('maxInterfaceEvents, validationBudget');
  expect(text).toContain('guard: watch');
  expect(text).not.toContain('\n');
});
