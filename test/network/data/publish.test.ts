import { describe, expect, it } from 'vitest';
import { bytesOf, itemAt, upload } from '../../support/party-blobs.js';
import { usePipelines } from '../../support/pipelines.js';

const start = usePipelines();

describe('publishing while the shared store is away', () => {
  it('waits no longer than the request, and is done once the store is back', async () => {
    const network = await start();
    const alice = network.party('alice');
    const { id } = await upload(alice, bytesOf(1_000));
    network.store.goAway();
    const request = new AbortController();
    const item = { namespace: 'default', dataid: id };
    const published = alice.pipeline().publisher.publishBlob(item, {}, request.signal);
    await network.pass(2_000);
    request.abort('over');
    await expect(published).rejects.toBe('over');

    network.store.comeBack();
    await network.pass(60_000);
    expect((await itemAt(alice, id))?.blobPublic).not.toBeNull();
  });
});
