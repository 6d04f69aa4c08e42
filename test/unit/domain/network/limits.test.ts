import { expect, test } from 'vitest';
import { networkLimits } from '../../../../src/domain/network/limits.js';

test('the network limits are those by which every node of a network decides', () => {
  expect(networkLimits).toEqual({
    maxBatchMessages: 200,
    maxBatchDataBytes: 819_200,
    maxPayloadBytes: 2_097_152,
    maxTopics: 10,
    maxDataItems: 256,
    maxGroupMembers: 256,
    maxNameCharacters: 64,
    maxTextDepth: 80,
    maxValueDepth: 64,
    maxSchemaBytes: 65_536,
    maxSubschemas: 2_000,
    maxValidationSteps: 1_000_000,
  });
});
