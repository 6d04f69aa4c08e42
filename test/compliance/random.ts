import { describe, expect, it } from 'vitest';
import type { Random } from '../../src/ports/random.js';

/** The obligations of `ports/random.ts`. */
export function describeRandom(adapter: string, create: () => Random): void {
  describe(`random: ${adapter}`, () => {
    it('makes distinct version 4 UUIDs in lower case', () => {
      const random = create();
      const uuids = Array.from({ length: 1_000 }, () => random.uuid());
      for (const uuid of uuids) {
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }
      expect(new Set(uuids).size).toBe(uuids.length);
    });

    it('makes the requested number of bytes, of every value', () => {
      const random = create();
      expect(random.bytes(0)).toHaveLength(0);
      expect(random.bytes(33)).toHaveLength(33);
      expect(new Set(random.bytes(20_000)).size).toBe(256);
    });
  });
}
