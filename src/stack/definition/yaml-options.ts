import type { SchemaOptions } from 'yaml';

/**
 * How YAML of users is read: hexadecimal digits are text, since addresses are written without quotes and no setting is
 * a number in that form. As numbers they would lose their last digits.
 */
export const yamlOptions: SchemaOptions = {
  customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !('format' in tag) || tag.format !== 'HEX'),
};
