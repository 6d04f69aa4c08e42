import { describe, expect, it } from 'vitest';
import { fireflySettings } from '../../../../../src/cli/stack/making/firefly.js';
import { settingsOfTemplate } from '../../../../../src/stack/create.js';
import { aPlace } from '../../../stack/fixtures/place.js';

async function partiesOf(template: string, parties?: string): Promise<string | undefined> {
  const request = { template, workingDirectory: '/' };
  const settings = fireflySettings({ parties }, await settingsOfTemplate(aPlace(), request));
  return settings.find(({ path }) => path.join('.') === 'parties')?.value;
}

describe('A stack for FireFly users', () => {
  it.each([
    ['default', 3],
    ['minimal', 2],
  ])('has as many members as the template %s', async (template, count) => {
    const text = await partiesOf(template);
    expect(text?.match(/org: org_\d/g)).toHaveLength(count);
  });

  it('has the requested number of members, and no default ones if they are named', async () => {
    expect((await partiesOf('minimal', '4'))?.match(/org: org_\d/g)).toHaveLength(4);
    expect(await partiesOf('minimal', 'anna,otto')).toBeUndefined();
  });

  it('has token connectors if its template has', async () => {
    const connectorsOf = async (template: string) => {
      const settings = await settingsOfTemplate(aPlace(), { template, workingDirectory: '/' });
      return fireflySettings({}, settings).filter(({ path }) => path.join('.') === 'tokens.connectors').length;
    };
    expect([await connectorsOf('default'), await connectorsOf('minimal')]).toEqual([1, 0]);
  });
});
