import { describe, expect, test } from 'vitest';
import { locationOf } from '../../../../src/domain/contracts/location.js';
import {
  eventFilter,
  readFilters,
  shownFilters,
  signatureOfAll,
  subjectOfAll,
  writeEvent,
  writeFilters,
} from '../../../../src/domain/contracts/listener.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';
import { uuid } from '../../../support/fixtures.js';
import { boxAddress, changed, emptied } from '../../../support/listeners.js';

const field = 'event';
const anywhere = eventFilter(changed, { field, address: null });
const here = eventFilter(
  { ...emptied, description: 'empty', pathname: 'Emptied_1' },
  { field, address: boxAddress, interfaceId: uuid(1) },
);

describe('the filter of a listener', () => {
  test('is an event with its signature, and optionally its contract', () => {
    expect(anywhere).toMatchObject({
      signature: 'Changed(address,uint256)',
      address: null,
      entry: { name: 'Changed' },
    });
    expect(here).toMatchObject({ signature: 'Emptied(address)', address: boxAddress });
  });

  test('is shown without fields that only the interface has', () => {
    expect(here.shown).toEqual({
      event: { name: 'Emptied', description: 'empty', params: emptied.params },
      location: locationOf(boxAddress),
      interface: { id: uuid(1) },
      signature: 'Emptied(address)',
    });
  });

  test('is restored from its text', () => {
    const text = writeFilters([anywhere, here]);
    expect(readFilters(text)).toEqual([anywhere, here]);
    expect(shownFilters(text)).toEqual([anywhere.shown, here.shown]);
  });

  test('is refused for an event without a topic on the chain', () => {
    const anonymous = { ...changed, details: textOf({ anonymous: true }) };
    expect(codeOf(() => eventFilter(anonymous, { field, address: null }))).toBe('FF10317');
    expect(codeOf(() => eventFilter({ ...changed, name: '' }, { field, address: null }))).toBe('FF10320');
  });
});

test('the signature and the subject of a listener do not depend on the order of its filters', () => {
  expect(signatureOfAll([here, anywhere])).toBe('Changed(address,uint256);Emptied(address)');
  expect(signatureOfAll([anywhere, here])).toBe(signatureOfAll([here, anywhere]));
  expect(subjectOfAll([anywhere, here])).toBe(subjectOfAll([here, anywhere]));
  expect(subjectOfAll([anywhere])).not.toBe(subjectOfAll([eventFilter(changed, { field, address: boxAddress })]));
});

test('an event is written with the original schemas of its parameters', () => {
  const schema = textOf({ type: 'string', details: { type: 'address' } });
  expect(writeEvent({ name: 'E', params: [{ name: 'a', schema }] })).toBe(
    `{"name":"E","params":[{"name":"a","schema":${schema}}]}`,
  );
});
