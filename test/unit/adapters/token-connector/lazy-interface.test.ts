import { expect, test } from 'vitest';
import { lazyInterface } from '../../../../src/adapters/token-connector/lazy-interface.js';

test('An interface is parsed once, at its first use', () => {
  const abi: string[] = [];
  const views = lazyInterface(abi);
  abi.push('function decimals() view returns (uint8)');
  expect(views().encodeFunctionData('decimals')).toBe('0x313ce567');
  expect(views()).toBe(views());
});
