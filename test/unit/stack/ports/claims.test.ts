import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type PortClaims, withPortClaims } from '../../../../src/stack/ports/claims.js';
import { isFree } from '../../../../src/stack/ports/free-port.js';
import { assignPorts, type Ports } from '../../../../src/stack/ports/ports.js';
import { claimablePortBase } from '../../../support/port-base.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

describe('Ports that a start has claimed', () => {
  test('are not chosen by starts in other homes', async () => {
    let missing = 5;
    let resolveAll: () => void = () => undefined;
    const allChosen = new Promise<void>((resolve) => {
      resolveAll = resolve;
    });
    const choose = async (claims: PortClaims) => {
      const ports = await assignInNewHome(claims);
      if (--missing === 0) resolveAll();
      await allChosen;
      return ports?.base;
    };
    const bases = await Promise.all(Array.from({ length: 5 }, () => withPortClaims(choose)));
    expect(new Set(bases).size).toBe(5);
  });

  test('are free again when the start has failed', async () => {
    const chosen = await claimablePortBase(onTestFinished);
    const start = withPortClaims(async (claims) => {
      await assign({ place: aPlace(), settings: someSettings(`ports: {base: ${chosen}}`), claims });
      expect(await isFree(chosen + 99)).toBe(false);
      throw new Error('the start failed');
    });
    await expect(start).rejects.toThrow('the start failed');
    expect(await isFree(chosen + 99)).toBe(true);
  });

  test('are claimed at later starts too, unless another program listens there', async () => {
    const place = aPlace();
    const settings = someSettings(`ports: {base: ${await claimablePortBase(onTestFinished)}}`);
    const first = await assign({ place, settings });
    await withPortClaims(async (claims) => {
      expect(await assign({ place, settings, claims })).toEqual(first);
      expect(await isFree((first?.base ?? 0) + 99)).toBe(false);
    });
    const other = createServer().listen((first?.base ?? 0) + 99, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await withPortClaims(async (claims) => {
      expect(await assign({ place, settings, claims })).toEqual(first);
    });
  });

  test.each(['the last start', 'the definition'])(
    'are refused to a start in another home that has them from %s',
    async (by) => {
      const base = await claimablePortBase(onTestFinished);
      const settings = someSettings(`ports: {base: ${base}}`);
      const other = aPlace();
      if (by === 'the last start') await assign({ place: other, settings });
      await withPortClaims(async (claims) => {
        await assign({ place: aPlace(), settings, claims });
        const late = withPortClaims((own) => assign({ place: other, settings, claims: own }));
        await expect(late).rejects.toMatchObject({ code: 'PORT_IN_USE', exitCode: 6, details: { port: base + 99 } });
        const elsewhere = withPortClaims((own) => assign({ place: aPlace(), settings, claims: own, reassign: true }));
        expect((await elsewhere)?.base).not.toBe(base);
      });
      await withPortClaims(async (claims) => {
        expect(await assign({ place: other, settings, claims })).toMatchObject({ base });
      });
    },
  );

  test('are released at the end even if a client stays connected', async () => {
    const base = await claimablePortBase(onTestFinished);
    const port = base + 99;
    let caller: Socket | undefined;
    await withPortClaims(async (claims) => {
      await assign({ place: aPlace(), settings: someSettings(`ports: {base: ${base}}`), claims });
      caller = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      await once(caller, 'readable');
    });
    expect(await isFree(port)).toBe(true);
    caller?.destroy();
  });

  test('are released if one of them is in use and others are claimed', async () => {
    const base = await claimablePortBase(onTestFinished);
    const other = createServer().listen(base, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await withPortClaims(async (claims) => {
      const settings = someSettings(`ports: {base: ${base}}`);
      const ports = await assign({ place: aPlace(), settings, claims, reassign: true });
      expect(ports?.base).not.toBe(base);
      expect(await isFree((ports?.base ?? 0) + 99)).toBe(false);
      expect(await isFree(base + 99)).toBe(true);
    });
  });

  test('may include the last of their hundred for a service', async () => {
    const base = await claimablePortBase(onTestFinished);
    const ports = { base, nodes: base + 98 };
    await withPortClaims(async (claims) => {
      const request = { place: aPlace(), settings: { ...someSettings(), ports }, claims };
      expect((await assign(request))?.parties).toEqual({ alice: base + 98, bob: base + 99 });
    });
  });
});

function assignInNewHome(claims: PortClaims): Promise<Ports | undefined> {
  return assign({ place: aPlace(), settings: someSettings(), claims });
}

function assign(
  request: Pick<Parameters<typeof assignPorts>[0], 'place' | 'settings' | 'claims'> & { readonly reassign?: boolean },
): Promise<Ports | undefined> {
  return assignPorts({ reassign: false, ...request, layout: aLayout(request.place, 'dev'), name: 'dev' });
}
