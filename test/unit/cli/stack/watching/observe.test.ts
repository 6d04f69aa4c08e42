import { expect, it } from 'vitest';
import { partyNote, rulesText, whyNotRunning } from '../../../../../src/cli/stack/watching/observe.js';

it('a status names in one line the missing limits of a network of an earlier version only', () => {
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

it.each([
  [[], '3 pending'],
  [['orders'], '3 pending (topic orders)'],
  [['orders', 'news'], '3 pending (topics orders, news)'],
  [['orders', 'news', 'talk'], '3 pending (topics orders, news, …)'],
])('the note about a party names the topics of what is undecided, as far as there is room: %j', (topics, text) => {
  const state = {
    messages: null,
    pending: 3,
    pendingTopics: topics,
    blockedTopics: 0,
    lastSequence: 1,
    chainHead: 2,
    chainLag: 0,
    outbox: 0,
    operations: 0,
    waiting: [],
    rules: null,
  };
  expect(partyNote(state)).toBe(text);
});

it.each([
  ['stopped', [['chain', 'stopped']], 'The stack dev is stopped.', 'Start it: parley start dev'],
  [
    'degraded',
    [
      ['chain', 'healthy'],
      ['bob', 'stopped'],
    ],
    'bob is stopped',
    'Start it: parley start dev',
  ],
  [
    'degraded',
    [
      ['chain', 'stopped'],
      ['bob', 'failed'],
    ],
    'chain is stopped, bob is failed',
    'parley logs -s dev bob',
  ],
])('a stack that is %s says with --check which services are to blame, and the next step: %j', (...given) => {
  const [state, states, said, hint] = given;
  const services = states.map(([name = '', each = '']) => ({ name, state: each, isExternal: false }));
  const { message, hint: shown } = whyNotRunning({ name: 'dev', state, services }, 'parley');
  expect(message).toContain(said);
  expect(shown).toContain(hint);
});
