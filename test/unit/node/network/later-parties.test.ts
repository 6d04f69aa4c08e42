import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { openLaterParties } from '../../../../src/node/network/later-parties.js';
import { forgetLaterParties, noteLaterParty } from '../../../../src/stack/members/later-parties.js';
import { layoutOf } from '../../../../src/stack/layout.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { aPlace } from '../../stack/fixtures/place.js';

describe('The parties that were added after a node started', () => {
  const dave = { name: 'dave', url: 'http://127.0.0.1:16013', ports: [16_013, 16_053] };
  const erin = { name: 'erin', url: 'http://127.0.0.1:16014', ports: [16_014, 16_054] };

  it('are read from the file each time', async () => {
    const layout = layoutOf(aDirectory(), aPlace());
    const later = openLaterParties({ laterParties: { file: layout.laterParties } }, createSilentLog());
    expect(later()).toEqual([]);
    await noteLaterParty(layout, dave);
    expect(later()).toEqual([dave]);
    await noteLaterParty(layout, erin);
    await noteLaterParty(layout, { ...dave, url: 'http://127.0.0.1:1' });
    expect(later().map(({ name, url }) => [name, url])).toEqual([
      ['erin', erin.url],
      ['dave', 'http://127.0.0.1:1'],
    ]);
    await forgetLaterParties(layout);
    expect(later()).toEqual([]);
  });

  it('are none if the file cannot be read, or without a stack', async () => {
    const layout = layoutOf(aDirectory(), aPlace());
    await noteLaterParty(layout, dave);
    writeFileSync(layout.laterParties, '{"version":2}');
    expect(openLaterParties({ laterParties: { file: layout.laterParties } }, createSilentLog())()).toEqual([]);
    expect(openLaterParties({}, createSilentLog())()).toEqual([]);
  });
});
