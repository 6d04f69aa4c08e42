import { uploadFlags } from '../../data/flags.js';
import { BaseCommand } from '../../base.js';
import { argument } from '../../flags.js';

export default class DataUpload extends BaseCommand {
  static override summary = 'Give a file or a value to a node, to be sent later.';
  static override description = [
    'Nobody else gets it before a message refers to it: broadcast or send with --data-id. A file of any size is',
    'streamed. Unless --no-autometa is given, its name, media type and size become its value, or join the object of',
    '--value.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> data upload plan.pdf',
    `<%= config.bin %> broadcast 'the plan' --data-id "$(<%= config.bin %> data upload plan.pdf -q)"`,
    'tar c docs | <%= config.bin %> data upload - --name docs.tar',
    `<%= config.bin %> data upload --value '{"order":17}' --datatype order@1.0`,
  ];
  static override args = { FILE: argument('a file, or - for stdin') };
  static override flags = uploadFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataUpload);
    const { uploadOne } = await import('../../data/data-upload.js');
    const { shortId } = await import('../../terminal/text.js');
    const id = await uploadOne({ ...flags, file: args.FILE }, this);
    await this.suggest('data list', `broadcast 'see the file' --data-id ${shortId(id)}`);
  }
}
