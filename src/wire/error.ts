import { fillSentence } from './sentence.js';

/**
 * Every error that leaves a program: name → code, HTTP status, sentence. Numbers are FireFly's where it has one for the
 * condition, `PY…` are ours (S §1.5). Codes are frozen, sentences are free: what was expected, what came, what to do.
 */
export const errors = {
  not_json: ['FF10103', 400, 'The body is not JSON: {problem} at position {position}. Send one JSON text in UTF-8.'],
  json_bounds: ['PY1005', 400, 'The JSON text is out of bounds: {problem}.'],
  field_required: ['FF00112', 400, 'The field {field} is required{hint}.'],
  field_type: ['PY1011', 400, '{field} must be {expected}, not {actual}.'],
  not_uuid: ['FF00138', 400, '{field} must be a UUID, not "{actual}".'],
  not_hash: ['FF00107', 400, '{field} must be 64 lower-case hexadecimal characters, not "{actual}".'],
  not_duration: ['FF00137', 400, '{field} must be a duration like 30, 30s or 500ms, not "{actual}".'],
  bad_name: [
    'FF00140',
    400,
    '{field} must be 1 to 64 characters of A-Za-z0-9._- that begin and end with a letter or digit, not "{actual}".',
  ],
  too_long: ['FF00135', 400, '{field} may have at most {max} {unit}; this one has {actual}.'],
  duplicate: ['FF00133', 400, '{field} lists "{actual}" twice.'],
  too_many: ['FF00134', 400, '{field} may have at most {max} entries; this one has {actual}.'],
  unknown_parameter: ['FF00142', 400, 'Unknown parameter "{actual}"{hint}'],
  bad_parameter: ['FF00143', 400, 'The parameter {field} must be {expected}, not "{actual}".'],
  partial_match: [
    'FF00145',
    400,
    '{field} is not a text: it takes =, < and > but no parts and no case, not "{actual}".',
  ],
  modifier_refused: ['FF00193', 400, '{field} takes no modifiers before < and >, not "{actual}".'],
  not_charted: ['FF10301', 400, 'There is no chart of "{actual}"{hint}'],
  bad_chart_parameter: ['FF10299', 400, '{field} must be {expected}, not "{actual}".'],
  bad_buckets: ['FF10298', 400, 'buckets must be from {min} to {max}, not {actual}.'],
  bad_chart_times: ['FF10300', 400, 'startTime must be before endTime.'],
  not_registered: ['PY1501', 409, '{what} is not registered. Its operator adds it to the network, no node does.'],
  skip_too_large: ['FF00191', 400, 'skip may be at most {max}, not {actual}. Read deeper with created=<….'],
  limit_too_large: ['FF00192', 400, 'limit may be at most {max}, not {actual}.'],
  unauthenticated: [
    'FF00169',
    401,
    'This node asks for a credential: send Basic (name and password or token) or a bearer token that it knows.',
  ],
  forbidden: ['FF00170', 403, 'The credential "{name}" has no rights to {what}{hint}.'],
  host_refused: [
    'PY1006',
    403,
    'The Host header "{actual}" is not one of this server. Use {expected}, or add the name to its configuration.',
  ],
  bad_target: ['PY1017', 400, 'A request names a path without a fragment, not "{actual}". Write # as %23.'],
  origin_refused: [
    'PY1007',
    403,
    'A web page from {actual} may not call this server. Add it to cors.origins if it is yours.',
  ],
  not_found: ['FF10109', 404, 'Not found: {what}.'],
  unknown_namespace: ['FF10187', 404, 'There is no namespace "{namespace}" on this node{hint}.'],
  method_not_allowed: ['PY1003', 405, '{method} is not possible on {path}. It takes {allowed}.'],
  deadline: ['FF00166', 408, 'The request did not end within {seconds} s. What was accepted goes on.'],
  request_late: ['FF00166', 408, 'The {part} of the request did not come in time: {problem}. Send it without pauses.'],
  confirmation_late: ['FF10260', 408, 'The outcome did not come before the request ended. What was accepted goes on.'],
  message_rejected: ['FF10269', 409, 'The message was rejected: {reason}'],
  definition_rejected: ['FF10413', 409, 'The {what} was rejected: {reason}'],
  reply_tag: ['FF10261', 400, 'A request for a reply needs header.tag: whoever answers knows by it what is asked.'],
  reply_cid: ['FF10262', 400, 'A request for a reply has no header.cid; the reply will name the request by it.'],
  reply_group: ['FF10271', 400, 'A request for a reply needs a group: "group": {{"members": [{{"identity": …}}]}}.'],
  idempotency_key_used: ['FF10430', 409, 'The idempotency key "{key}" was used by message {id}.'],
  name_taken: ['FF10193', 409, '{what} exists already. Choose another name or key.'],
  operator_only: ['PY1501', 409, 'An identity of the type {type} is for the operator to add: no node does.'],
  not_own: ['PY1502', 400, '{what} is not of this node, which speaks for {own}.'],
  network_contract: ['PY1503', 403, 'Only nodes call {address}, the contract of the network. Others may query it.'],
  operation_failed: ['PY1302', 409, 'The operation {id} has failed: {problem}'],
  definition_unknown_identity: [
    'FF10408',
    409,
    'The identity {did} was not registered before, in the order of the chain.',
  ],
  definition_wrong_author: ['FF10409', 409, '{author} may not say anything of {did}.'],
  transaction_key_used: ['FF10431', 409, 'The idempotency key "{key}" was used by transaction {id}.'],
  body_too_large: ['PY1004', 413, 'The body is larger than {max} bytes.'],
  head_too_large: ['PY1004', 431, 'The head of the request is larger than {max} bytes.'],
  bad_request: ['PY1018', 400, 'This is not a request of HTTP/1.1: {problem}.'],
  disk_full: [
    'PY1009',
    507,
    'The disk is almost full: {min} bytes of it are kept free. Free some space and try again.',
  ],
  no_space: ['PY1009', 507, 'The disk is full, so nothing can be stored. Free some space and try again.'],
  damaged: ['PY1019', 500, '{what} is damaged: {problem}. {remedy}'],
  blob_missing: ['FF10239', 404, 'The blob {hash} is not on this node{hint}.'],
  no_blob: ['FF10241', 404, 'The data item {id} has no blob.'],
  null_value: ['FF10199', 400, 'A data item needs "value" (any JSON) or "blob" (of another item).'],
  value_too_large: ['PY1203', 400, 'The value is {actual} bytes; a message has room for {max}. Upload it as a file.'],
  nothing_to_validate: ['FF10197', 400, 'A datatype is given and no value that it could be held against.'],
  bad_multipart: ['FF00161', 400, 'The multipart body cannot be used: {problem}.'],
  bad_upload: ['PY1201', 400, 'The upload cannot be used: {problem}.'],
  data_needed: ['PY1106', 409, 'The data item {id} is still needed by {what}. Delete it when that has ended.'],
  bad_content_type: ['FF00162', 415, 'The content type must be {expected}, not "{actual}".'],
  range_not_satisfiable: ['PY1202', 416, 'The range "{actual}" is outside of the {size} bytes there are.'],
  stopping: ['PY1010', 503, '{what}. Try again in a moment.'],
  internal: ['PY1000', 500, 'This is a defect of ours. It is in the log under request {request}.'],
  author_refused: ['FF10206', 400, 'This node cannot sign as asked: {inner}'],
  too_many_steps: ['PY1108', 400, 'The typed values of one batch take more than {max} steps. Send fewer together.'],
  no_data: ['PY1101', 400, 'A broadcast needs at least one data item: "data": [{{"value": …}}].'],
  data_without_content: ['FF10205', 400, 'data[{index}] needs "value" (any JSON) or "id" (of data on this node).'],
  data_with_both: ['PY1102', 400, 'data[{index}] has {forms}; give exactly one form.'],
  datatype_differs: ['PY1107', 400, 'data[{index}] names {asked}; item {id} has {actual}. Upload it anew with that.'],
  bad_validator: ['FF10194', 400, 'data[{index}].validator must be json or none{hint}, not "{actual}".'],
  datatype_unknown: [
    'FF10195',
    400,
    'data[{index}] names the datatype {datatype}, which is not confirmed on this node.',
  ],
  bad_schema: ['FF10196', 400, 'The value of a datatype must be a JSON schema, which this is not: {problem}.'],
  data_twice: ['FF00129', 400, 'The data item {id} is listed twice.'],
  data_unknown: ['FF10204', 400, 'This node holds no data item {id} in namespace {namespace}.'],
  data_hash_differs: ['FF10201', 400, 'The data item {id} has the hash {expected}, not {actual}.'],
  too_large_to_broadcast: ['FF10327', 400, 'The message is {actual} bytes; at most {max} fit into a broadcast batch.'],
  too_large_to_send: ['FF10328', 400, 'The message is {actual} bytes; at most {max} fit into a private batch.'],
  bad_txtype: ['FF00130', 400, 'header.txtype must be {expected} here, not "{actual}".'],
  bad_type: ['FF10287', 400, 'header.type must be {expected} on this path, not "{actual}".'],
  group_required: ['FF00115', 400, 'A private message needs a group: "group": {{"members": [{{"identity": "…"}}]}}.'],
  group_member_blank: ['FF00116', 400, 'group.members[{index}].identity is blank; give a DID, a name or a key.'],
  group_hash_differs: ['FF00119', 400, 'The group is named as {expected} and as {actual}; leave one of the two out.'],
  group_unknown: [
    'FF10226',
    404,
    'This node knows no group {hash} in namespace {namespace}. Give its members instead.',
  ],
  author_not_in_group: ['PY1104', 400, 'The author {author} with this node is not a member of the group {hash}.'],
  identity_unknown: ['FF10277', 400, 'The network has no identity "{actual}"{hint}'],
  identity_without_node: ['FF10233', 400, 'The identity {identity} has no node that could receive for it.'],
  node_unknown: ['FF10224', 400, 'The network has no node "{actual}".'],
  node_of_another: ['FF10422', 400, 'The node "{actual}" does not belong to {identity}.'],
  batch_not_cancellable: ['FF10466', 400, 'The batch {id} cannot be cancelled: {problem}.'],
  pin_not_failed: [
    'FF10468',
    400,
    'The batch {id} cannot be cancelled: its pin has not failed, it can still be mined.',
  ],
  operation_not_failed: ['PY1301', 409, 'The operation {id} cannot be tried again: {problem}.'],
  group_on_broadcast: ['PY1103', 400, 'A broadcast has no group: everybody would see it. Use send/message instead.'],
  reserved_name: ['PY1105', 400, '{field} "{actual}" is reserved: names that begin with svc_ belong to the system.'],
  namespace_read_only: [
    'FF10415',
    400,
    '{namespace} is the namespace of the system, which users read and do not write. Use another.',
  ],
  network_action: [
    'FF10414',
    400,
    'A node takes no actions of the network. Members are added by its operator, and contracts do not change.',
  ],
  bad_filter: ['FF10171', 400, 'The filter {field} is not an RE2 expression: {problem}.'],
  uuid_as_name: ['FF00141', 400, '{field} must not look like a UUID: "{actual}" would be taken for an id.'],
  value_breaks_schema: [
    'FF10198',
    400,
    'data[{index}] does not conform to the datatype {datatype}: at "{path}" it {message}{hint}.',
  ],
  definition_payload: ['FF10400', 409, 'The definition cannot be read: {problem}.'],
  definition_invalid: ['FF10403', 409, 'The definition is not valid: {problem}.'],
  definition_id_taken: ['FF10404', 409, 'The id {id} belongs to another definition.'],
  definition_schema: ['FF10406', 409, 'The value of the definition is not a schema: {problem}.'],
  definition_name_taken: ['FF10407', 409, '{what} was defined before, in the order of the chain.'],
  unknown_definition: ['FF10400', 409, 'A definition with the tag "{tag}" is not known.'],
  definition_not_creator: ['FF10409', 409, 'The pool cannot be defined: {problem}.'],
  operation_missing: [
    'PY1901',
    409,
    'No event of its {what} with id and hash of this message came before it on chain, in a pool defined before.',
  ],
  own_batch_void: ['PY1902', 409, 'The batch of this message is void: {reason}.'],
  webhook_without_url: ['FF10242', 400, 'A webhook needs options.url, the http or https address that it calls.'],
  webhook_not_text: ['FF10243', 400, '{field} must be text, not {actual}.'],
  webhook_refused: ['PY1602', 400, '{problem}'],
  webhook_call: ['PY1602', 403, 'This is a call of a webhook, and no webhook may call a server of a stack.'],
  unknown_filter: ['PY1601', 400, 'Unknown filter or option "{actual}"{hint}'],
  bad_subscription: ['FF10189', 400, 'The subscription cannot be used: {problem}.'],
  transport_unknown: ['FF10172', 400, 'The transport "{actual}" is not known: websockets and webhooks are.'],
  too_many_subscriptions: [
    'PY1008',
    429,
    'The namespace {namespace} has {max} subscriptions, and no more are possible. Delete some that nobody needs.',
  ],
  events_too_wide: [
    'FF10463',
    400,
    'startsequence to endsequence may span at most {max} sequences; these span {actual}.',
  ],
  events_not_numbers: ['FF10464', 400, '{field} must be the sequence of an event, a whole number, not "{actual}".'],
  first_event: ['FF10191', 400, 'firstEvent must be newest, oldest or a number of an event or block, not {actual}.'],
  first_event_negative: ['FF10192', 400, 'firstEvent must be at least -1, which is before all events, not {actual}.'],
  data_on_socket: ['FF10244', 400, 'withData is for webhooks: on a WebSocket events carry references only.'],
  batch_with_data: ['FF10460', 400, 'A batch has events only: give batch or withData, not both.'],
  wrong_namespace: ['FF10462', 400, 'This event stream is for the namespace {expected} only, not for "{actual}".'],
  interface_exists: ['FF10302', 409, 'The interface {name}@{version} exists already in namespace {namespace}.'],
  interface_not_found: ['FF10303', 404, 'There is no interface {what} in namespace {namespace}.'],
  argument_missing: ['FF10304', 400, 'The argument {field} is missing: {expected} is expected.'],
  argument_wrong: ['FF10305', 400, 'The argument {field} must be {expected}.'],
  argument_unknown: ['FF10306', 400, 'There is no argument {field}{hint}'],
  bad_option: ['FF10311', 400, 'The option {field} cannot be used: {problem}.'],
  bad_location: ['FF10310', 400, 'The location must be {{"address": "0x…"}} with the address of a contract{problem}.'],
  method_required: ['FF10313', 400, 'The method is missing: give "method", or "interface" with "methodPath".'],
  method_unknown: ['FF10315', 400, 'The interface {name} has no method "{method}"{hint}'],
  location_fixed: ['FF10316', 400, 'The location of a contract API does not change. Make another API for {address}.'],
  definition_nameless: ['FF10320', 400, '{field} is a {what} without a name that Solidity could have.'],
  bad_parameter_schema: ['FF10332', 400, 'The schema of {field} cannot be used: {problem}.'],
  bad_abi: ['FF10346', 400, 'This is no ABI of a contract: {problem}.'],
  listener_exists: ['FF10312', 409, 'The listener {name} exists already in namespace {namespace}. Choose another.'],
  listener_twice: ['FF10383', 409, 'The listener {name} listens for {signature} with the topic {topic} already.'],
  event_required: [
    'FF10317',
    400,
    'Give one of: "event"; "interface" with "eventPath"; "filters", a list of one or more of these{problem}.',
  ],
  event_anonymous: ['FF10317', 400, '{field} is anonymous: the chain does not say which event a log of it is.'],
  event_unknown: ['FF10370', 400, 'The interface {name} has no event "{event}"{hint}'],
  too_many_listeners: [
    'PY1008',
    429,
    'This node has {max} listeners, and no more are possible. Delete some that nobody needs.',
  ],
  query_reverted: ['FF10111', 400, 'The contract has refused the query: {problem}'],
  definition_unknown_interface: [
    'FF10408',
    409,
    'The interface {id} was not defined before, in the order of the chain.',
  ],
  name_used: ['FF10447', 409, '{what} exists already in namespace {namespace}. Choose another name.'],
  network_name_used: ['FF10448', 409, '{what} exists already in the network. Choose another networkName.'],
  published_kept: ['FF10449', 409, '{what} is published: others use it, so it stays.'],
  already_published: ['FF10450', 409, '{what} is published already, or on its way.'],
  interface_not_published: ['FF10451', 409, 'The interface {id} is not published, so nobody else could use {what}.'],
  not_one_of: ['FF00172', 400, '{field} must be one of {expected}, not "{actual}".'],
  not_address: ['FF10141', 400, '{field} must be an address, an organisation or a DID, not "{actual}".'],
  bad_amount: [
    'FF00104',
    400,
    'The field {field} must be a whole number (digits, as a number or as text, or text like "0x1f"), not {actual}.',
  ],
  amount_out_of_range: ['PY1401', 400, 'The field {field} must be from {min} to 2^256-1, not {actual}.'],
  token_index: ['PY1402', 400, 'tokenIndex and amount do not go with the pool: {problem}.'],
  connector_unknown: ['FF10272', 400, 'This node has no token connector "{actual}"{hint}'],
  same_account: ['FF10280', 400, 'from and to are the same account {account}: there is nothing to transfer.'],
  choice_required: ['FF10292', 400, 'The field {field} is required, since there are several: {candidates}.'],
  message_not_attachable: ['PY1403', 400, 'No message can go with this operation: {problem}.'],
  pool_name_used: [
    'FF10275',
    409,
    'A token pool "{name}" exists already in namespace {namespace}. Choose another name, or DELETE one that failed.',
  ],
  pool_not_active: ['FF10293', 409, 'The token pool {name} is not active yet: {problem}.'],
  pool_rejected: ['FF10276', 409, 'The token pool was rejected: {reason}'],
  judge_busy: ['PY1012', 503, 'This node judges as much as it can at a time. Try again in a moment.'],
  judgement_given_up: ['PY1013', 400, 'To judge {what} takes this node too long or too much memory. Make it simpler.'],
  streams_full: ['PY1008', 429, 'All {max} {what} of this node are taken. Close some, or try again in a moment.'],
} as const;

export type ErrorName = keyof typeof errors;

type FieldsOf<Text extends string> = Text extends `${string}{{${infer Rest}`
  ? FieldsOf<Rest>
  : Text extends `${string}{${infer Field}}${infer Rest}`
    ? Field | FieldsOf<Rest>
    : never;
type Fields<Name extends ErrorName> = { readonly [F in FieldsOf<(typeof errors)[Name][2]>]: string | number };
type FieldArguments<Name extends ErrorName> = keyof Fields<Name> extends never ? [] : [fields: Fields<Name>];

/**
 * An error that is the caller's to mend, or a state that the caller must know: it becomes `{"error":"<code>: <text>"}`.
 */
export class ServiceError<Name extends ErrorName = ErrorName> extends Error {
  readonly reason: Name;
  readonly code: string;
  readonly status: number;
  /** The sentence without the code, on one line. */
  readonly text: string;
  /** What the sentence was filled with. */
  readonly fields: Readonly<Record<string, string | number>>;

  constructor(reason: Name, ...[fields]: FieldArguments<Name>) {
    const [code, status, template] = errors[reason];
    const text = fillSentence(template, fields ?? {});
    super(`${code}: ${text}`);
    this.name = 'ServiceError';
    this.reason = reason;
    this.code = code;
    this.status = status;
    this.text = text;
    this.fields = fields ?? {};
  }
}

/** Whether something thrown is an error that may leave the program as it is, or the one of that name. */
export function isServiceError(thrown: unknown): thrown is ServiceError;
export function isServiceError<Name extends ErrorName>(thrown: unknown, reason: Name): thrown is ServiceError<Name>;
export function isServiceError(thrown: unknown, reason?: ErrorName): boolean {
  return thrown instanceof ServiceError && (reason === undefined || thrown.reason === reason);
}
