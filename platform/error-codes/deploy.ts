import type { ErrorTable } from './entry.ts'

/** Codes of the commands, processes, label lists, the demonstration and evaluations. */
export const DEPLOY_ERRORS = {
  ASSAY_BACKUP_DAMAGED: {
    family: 'operator',
    meaning: 'A file of a backup is missing or was changed after the backup. Nothing was restored.',
    action: 'Take another backup.',
  },
  ASSAY_BACKUP_EMPTY: {
    family: 'operator',
    meaning: 'The data folder holds no store to back up.',
    action: 'Set `ASSAY_DATA` to the folder that the service uses.',
  },
  ASSAY_BACKUP_FOLDER: {
    family: 'operator',
    meaning: 'The folder for a backup exists already or lies inside the data folder. Nothing was copied.',
    action: 'Name a folder that does not exist.',
  },
  ASSAY_BACKUP_IN_USE: {
    family: 'operator',
    meaning: 'A process uses the data folder, so a copy of it would be inconsistent. Nothing was kept.',
    action: 'Stop the service, back up, and start it again.',
  },
  ASSAY_BACKUP_SERVER: {
    family: 'operator',
    meaning: '`CLICKHOUSE_URL` names a server, and `assay backup` and `assay restore` copy data folders.',
    action: 'Use the statements of the server, as `docs/operate/backup-and-scaling.md` shows.',
  },
  ASSAY_BACKUP_UNSETTLED: {
    family: 'operator',
    meaning:
      'Scorers have begun inserts that they have not finished. A backup of a server taken now would count them twice.',
    action: 'Stop the scorers, wait until they have ended, and run `assay backup --check` again.',
  },
  ASSAY_DEMO_ANVIL_MISSING: {
    family: 'operator',
    meaning: 'The installed packages include no usable anvil for this platform. No local chain was started.',
    action: 'Run `npm ci` on a supported platform, or set `<NETWORK>_RPC_URL`.',
  },
  ASSAY_DEMO_ARTIFACT_BROKEN: {
    family: 'bug',
    meaning: 'A contract artifact of the demonstration has no bytecode.',
    action: 'Report it.',
  },
  ASSAY_DEMO_CALL_REFUSED: {
    family: 'bug',
    meaning: 'The local chain refused a call of the demonstration.',
    action: 'Report it with the message.',
  },
  ASSAY_DEMO_IN_USE: {
    family: 'operator',
    meaning: 'Another process runs the local chain of this data folder. Nothing was started.',
    action: 'Stop it first, or set `ASSAY_DATA` to another folder.',
  },
  ASSAY_DEMO_NODE_SILENT: {
    family: 'retryable',
    meaning: 'The local chain of the demonstration did not answer and was stopped.',
    action: 'Start again; it resumes at its last saved block.',
  },
  ASSAY_DEMO_NOT_RUNNING: {
    family: 'operator',
    meaning: '`assay demo --check` found no running demonstration.',
    action: 'Run `npm start` first, with the same `ASSAY_DATA`.',
  },
  ASSAY_DEMO_PACKAGE_MISSING: {
    family: 'operator',
    meaning: 'The demonstration, or a package it needs, is not installed. Container images leave it out.',
    action: 'Run `npm ci` without `--omit=dev` in a checkout, or follow a real node with `ETH_RPC_URL`.',
  },
  ASSAY_DEMO_PORT_TAKEN: {
    family: 'operator',
    meaning: 'The port for the local chain is not available. Nothing was started.',
    action: 'Free the port the message names.',
  },
  ASSAY_DEMO_SCENARIO_MISSING: {
    family: 'operator',
    meaning: 'There is no scenario file to compare with.',
    action: 'Run `npm start` without RPC settings first, with the same `ASSAY_DATA`.',
  },
  ASSAY_DEMO_STATE_OLD: {
    family: 'operator',
    meaning: 'The local chain of this data folder was saved by an older version. Nothing was changed.',
    action: 'Remove the folder, or set `ASSAY_DATA` to another one.',
  },
  ASSAY_DEMO_STEP_FAILED: {
    family: 'bug',
    meaning: 'A step of the demonstration had another outcome than intended. The demonstration stopped.',
    action: 'Report it.',
  },
  ASSAY_DEMO_STORY_OVER: {
    family: 'bug',
    meaning: 'A step was added to a story of the demonstration that was already complete.',
    action: 'Report it.',
  },
  ASSAY_EVAL_INPUT: {
    family: 'operator',
    meaning: 'An evaluation was given no table, a table without known columns, or an option out of range.',
    action: 'Correct the option the message names. `docs/verdicts/model-card.md` lists the columns.',
  },
  ASSAY_LABELS_CATALOGUE: {
    family: 'operator',
    meaning:
      'The file that `ASSAY_LABELS_CATALOGUE` names cannot be read, or an entry of it is invalid. Nothing was fetched.',
    action: 'Correct the entry the message names. `docs/labels.md` explains them.',
  },
  ASSAY_LABELS_DELISTED: {
    family: 'operator',
    meaning: 'A file named as a list of delisted addresses was to be imported as `sanctioned`. Nothing was changed.',
    action: 'Import it with `--label delisted`.',
  },
  ASSAY_LABELS_EMPTY: {
    family: 'operator',
    meaning: 'A file without labels was to replace a list. Nothing was changed.',
    action: 'Check the file. To remove labels use `assay labels retract`.',
  },
  ASSAY_LABELS_GREW: {
    family: 'operator',
    meaning: 'A fetched list has far more new labels than it had before. Nothing was changed.',
    action: 'Look at the list. If it is right, run `assay labels update --source <name> --accept`.',
  },
  ASSAY_LABELS_OLDER: {
    family: 'operator',
    meaning: 'A fetched list is older than the one taken before. Nothing was changed.',
    action: 'Look at the list. If it is right, run `assay labels update --source <name> --accept`.',
  },
  ASSAY_LABELS_REFUSED: {
    family: 'operator',
    meaning: 'Rows of a list are invalid, so nothing was imported. The report names their lines.',
    action: 'Correct the rows, or skip them with `--skip-bad`.',
  },
  ASSAY_LABELS_SHRUNK: {
    family: 'operator',
    meaning: 'A fetched list has lost more than a fifth of its labels at once. Nothing was changed.',
    action: 'Look at the list. If it is right, run `assay labels update --source <name> --accept`.',
  },
  ASSAY_LABELS_SOURCE_FAILED: {
    family: 'retryable',
    meaning: 'The server of a list did not answer in time, or with an error. Nothing was changed.',
    action: 'It is asked again at the next update. See the runbook LabelsOutdated when this goes on.',
  },
  ASSAY_LABELS_SOURCE_REFUSED: {
    family: 'operator',
    meaning:
      'The server of a list answered with something other than a list: another host, a web page, nothing, or too much. Nothing was changed.',
    action: 'Open the URL the message names. Name a new host or URL in `ASSAY_LABELS_CATALOGUE`.',
  },
  ASSAY_LABELS_UNREADABLE: {
    family: 'operator',
    meaning:
      'A file cannot be read, or is neither CSV with a header, JSON, JSON lines nor a list of addresses. Nothing was changed.',
    action: 'Correct the line the message names.',
  },
  ASSAY_LABELS_UPDATE_RUNNING: {
    family: 'retryable',
    meaning: 'Another process updates the list. This update did not begin.',
    action: 'Try again when it is done. One that died is given up after ten minutes.',
  },
  ASSAY_RESTORE_OCCUPIED: {
    family: 'operator',
    meaning: 'The data folder that a backup was to be restored into is not empty. Nothing was restored.',
    action: 'Move what is in it away, or set `ASSAY_DATA` to another folder.',
  },
  ASSAY_RESTORE_UNFINISHED: {
    family: 'operator',
    meaning: 'A backup is being restored into the data folder, or the restore was interrupted. Nothing was started.',
    action: 'Run the same `assay restore` again.',
  },
  ASSAY_ROLE_STOPPED: {
    family: 'retryable',
    meaning: 'The thread of a role ended unexpectedly, so the process ended as well.',
    action: 'Read its log and start again.',
  },
  ASSAY_SCREEN_FILE: {
    family: 'operator',
    meaning: '`assay screen` was given a file that cannot be read, or of another kind than it takes. Nothing was sent.',
    action: 'Name a readable `.csv`, `.ndjson` or `.jsonl` file.',
  },
  ASSAY_SCREEN_OPTION: {
    family: 'operator',
    meaning:
      '`assay screen` does not know which API to ask, with which key, or how to save the results. Nothing was sent.',
    action: 'Set `ASSAY_URL` and `ASSAY_KEY`. Name `--output` with `.csv`, `.ndjson`, `.jsonl` or `.parquet`.',
  },
  ASSAY_SCREEN_REFUSED: {
    family: 'operator',
    meaning: 'The API refused the list or its job; the message repeats why. No results were saved.',
    action: 'Do what the message asks. `--again` makes a new job of a list that was screened before.',
  },
  ASSAY_SCREEN_UNREACHABLE: {
    family: 'retryable',
    meaning: 'The API did not answer `assay screen` for a while.',
    action: 'Start the command again: it continues the same job.',
  },
  ASSAY_START_FOLDER: {
    family: 'operator',
    meaning: 'The data folder cannot be made, or this user may not write into it. Nothing was started.',
    action: 'Set `ASSAY_DATA` to a folder that this user may write to.',
  },
  ASSAY_START_NODE: {
    family: 'operator',
    meaning:
      'An endpoint is not a node of its network: it refuses the key, is on another chain, or answers with something else than JSON-RPC. Nothing was started.',
    action: 'Correct `<NETWORK>_RPC_URL` as the message states. `assay check --nodes` asks all endpoints.',
  },
  ASSAY_START_NODE_SILENT: {
    family: 'retryable',
    meaning: 'No endpoint of any network answered, so nothing was started.',
    action: 'Start the node, or correct `<NETWORK>_RPC_URL`. `assay check --nodes` asks all endpoints.',
  },
  ASSAY_START_PORT: {
    family: 'operator',
    meaning:
      'The API cannot listen on the configured address: another process has the port, or the address is not of this machine.',
    action: 'Stop the other process, or set `ASSAY_PORT` (`ASSAY_OPS_PORT` for indexer and scorer) to a free port.',
  },
  ASSAY_TOOL_ADDRESS: {
    family: 'operator',
    meaning:
      'An address for a command, or a line of its list, is not an address of the network, or no line has the address to continue after.',
    action: 'Correct the line the message names and run the command again. Wallets queued twice are scored twice only.',
  },
  ASSAY_TOOL_API_OTHER: {
    family: 'operator',
    meaning: 'The URL does not lead to an API of Assay.',
    action: 'Name the URL of the API with `--url` or `ASSAY_URL`.',
  },
  ASSAY_TOOL_API_REFUSED: {
    family: 'operator',
    meaning: 'The API refused the request of a command; the message repeats the reason.',
    action: 'Do what the message asks.',
  },
  ASSAY_TOOL_API_SILENT: {
    family: 'retryable',
    meaning: 'No API answered a command.',
    action: 'Start one with `assay up`, or name another with `--url` or `ASSAY_URL`.',
  },
  ASSAY_TOOL_KEY: {
    family: 'operator',
    meaning: 'A command has no API key. Nothing was sent.',
    action: 'Set `ASSAY_KEY`, or name `--key`. `assay keys create` makes one.',
  },
  ASSAY_TOOL_OPTION: {
    family: 'operator',
    meaning: 'An option of a command has an invalid value. Nothing was changed.',
    action: 'Correct the option the message names. `docs/use/cli.md` lists the commands.',
  },
  ASSAY_TOOL_OUTPUT: {
    family: 'operator',
    meaning: 'The file that a command was to write cannot be written.',
    action: 'Name another file.',
  },
  ASSAY_VERIFY_DIFFERENCES: {
    family: 'operator',
    meaning: 'Stored data differs from the chain, or aggregates differ from the base tables. Nothing was changed.',
    action:
      'Repair the range with `assay verify --fix`, or aggregates alone with `assay reindex`. `docs/operate/operating-the-stream.md` explains both.',
  },
  ASSAY_VERIFY_NOTHING: {
    family: 'operator',
    meaning: 'There are no stored final blocks to verify in the range.',
    action: 'Give a range that is stored, or bring the blocks with `assay backfill`.',
  },
} as const satisfies ErrorTable
