import { expect, it } from 'vitest';
import { exitCodes } from '../../../../src/cli/errors/exit.js';
import { helpTopic, topicNames } from '../../../../src/cli/help/help-topics.js';
import { signalCodes } from '../../../../src/cli/signals.js';

it.each([...Object.values(exitCodes), ...Object.values(signalCodes)])('help exit-codes has %i', (code) => {
  expect(helpTopic('exit-codes')).toMatch(new RegExp(`\\b${code} {2}\\S`));
});

it.each([
  'STACK_COMPLETION_TIMEOUT',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_CACHE_HOME',
  'PARLEY_ENGINES',
  'DOCKER_HOST',
])('help env has %s, which the program reads', (name) => {
  expect(helpTopic('env')).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
});

it.each(topicNames)('help %s fits a terminal of 80 columns', (topic) => {
  for (const line of helpTopic(topic)?.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(80);
});
