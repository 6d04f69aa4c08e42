import { describe, expect, it } from 'vitest';
import { withMember } from '../../../../src/cli/requests/json-text.js';

describe('a member at the end of an object', () => {
  it('leaves the rest unchanged, byte for byte', () => {
    expect(withMember('{"a":1.0, "b":"}"}\n', 'stack', '{"x":1}')).toBe('{"a":1.0, "b":"}","stack":{"x":1}}');
  });

  it('is the only one of an empty object', () => {
    expect(withMember('{ }', 'stack', '1')).toBe('{"stack":1}');
  });
});
