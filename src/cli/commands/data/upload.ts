import { uploadFlags } from '../../data/flags.js';
import { BaseCommand } from '../../base.js';
import { argument } from '../../flags.js';

export default class DataUpload extends BaseCommand {
  static override summary = 'Upload a file or value to a node, to send it later.';
  static override description = [
    'Other parties receive it only with a message that refers to it: broadcast or send with --data-id. Files of any',
    'size are streamed. Without --no-autometa, name, media type and size become the value, or are added to the object',
    'of --value.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> data upload plan.pdf',
    `<%= config.bin %> broadcast 'the plan' --data-id "$(<%= config.bin %> data upload plan.pdf -q)"`,
    'tar c docs | <%= config.bin %> data upload - --name docs.tar',
    `<%= config.bin %> data upload --value '{"order":17}' --datatype order@1.0`,
  ];
  static override args = { FILE: argument('file, or - for stdin') };
  static override flags = uploadFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataUpload);
    const { uploadOne } = await import('../../data/data-upload.js');
    const { shortId } = await import('../../terminal/text.js');
    const id = await uploadOne({ ...flags, file: args.FILE }, this);
    await this.suggest('data list', `broadcast 'see the file' --data-id ${shortId(id)}`);
  }
}
