import type { ErrorTable } from './entry.ts'

/** Codes of the commands, processes, label lists, the demonstration and evaluations. */
export const DEPLOY_ERRORS = {
  ASSAY_BACKUP_DAMAGED: {
    family: 'operator',
    meaning: 'A file of the backup is missing or was changed after the backup was made. Nothing was restored.',
    action: 'Restore from another backup.',
  },
  ASSAY_BACKUP_EMPTY: {
    family: 'operator',
    meaning: 'The data folder contains no store to back up.',
    action: 'Set `ASSAY_DATA` to the data folder of the service.',
  },
  ASSAY_BACKUP_FOLDER: {
    family: 'operator',
    meaning: 'The target folder of the backup already exists or lies inside the data folder. Nothing was copied.',
    action: 'Name a folder that does not exist yet, outside the data folder.',
  },
  ASSAY_BACKUP_IN_USE: {
    family: 'operator',
    meaning: 'A process is using the data folder, so a copy would be inconsistent. No backup was kept.',
    action: 'Stop the service, take the backup, and start the service again.',
  },
  ASSAY_BACKUP_SERVER: {
    family: 'operator',
    meaning:
      '`CLICKHOUSE_URL` is set, but `assay backup` and `assay restore` only copy the data folder of the embedded store.',
    action: "Use ClickHouse's own `BACKUP` and `RESTORE` statements, as `docs/operate/backup-and-scaling.md` shows.",
  },
  ASSAY_BACKUP_UNSETTLED: {
    family: 'operator',
    meaning: 'Scorers have inserts in progress. A backup taken now would count those rows twice after a restore.',
    action: 'Stop the scorers, wait until they have exited, and run `assay backup --check` again.',
  },
  ASSAY_DEMO_ANVIL_MISSING: {
    family: 'operator',
    meaning: 'The installed packages include no anvil binary that runs on this platform. No local chain was started.',
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
    action: 'Report it, and include the message.',
  },
  ASSAY_DEMO_IN_USE: {
    family: 'operator',
    meaning: 'Another process is running the local chain of this data folder. Nothing was started.',
    action: 'Stop that process first, or set `ASSAY_DATA` to another folder.',
  },
  ASSAY_DEMO_NODE_SILENT: {
    family: 'retryable',
    meaning: 'The local chain of the demonstration did not answer and was stopped.',
    action: 'Start again; the chain resumes at its last saved block.',
  },
  ASSAY_DEMO_NOT_RUNNING: {
    family: 'operator',
    meaning: '`assay demo --check` found no running demonstration.',
    action: 'Run `npm start` first, with the same `ASSAY_DATA`.',
  },
  ASSAY_DEMO_PACKAGE_MISSING: {
    family: 'operator',
    meaning: 'The demonstration, or a package it needs, is not installed. Container images do not include it.',
    action: 'Run `npm ci` without `--omit=dev` in a checkout, or follow a real node with `ETH_RPC_URL`.',
  },
  ASSAY_DEMO_PORT_TAKEN: {
    family: 'operator',
    meaning: 'The port of the local chain is in use. Nothing was started.',
    action: 'Free the port that the message names.',
  },
  ASSAY_DEMO_SCENARIO_MISSING: {
    family: 'operator',
    meaning: 'The scenario file with the expected answers does not exist.',
    action: 'Run `npm start` without RPC settings first, with the same `ASSAY_DATA`.',
  },
  ASSAY_DEMO_STATE_OLD: {
    family: 'operator',
    meaning: 'The local chain of this data folder was saved by an older version. Nothing was changed.',
    action: 'Remove the data folder, or set `ASSAY_DATA` to another one.',
  },
  ASSAY_DEMO_STEP_FAILED: {
    family: 'bug',
    meaning: 'A transaction of the demonstration did not have the expected outcome. The demonstration stopped.',
    action: 'Report it.',
  },
  ASSAY_DEMO_STORY_OVER: {
    family: 'bug',
    meaning: 'A transaction was added to the scenario of the demonstration after its schedule was made.',
    action: 'Report it.',
  },
  ASSAY_EVAL_INPUT: {
    family: 'operator',
    meaning: 'An evaluation has no input table, a table without known columns, or an option that is out of range.',
    action: 'Correct the option that the message names. `docs/verdicts/model-card.md` lists the columns.',
  },
  ASSAY_LABELS_CATALOGUE: {
    family: 'operator',
    meaning:
      'The file that `ASSAY_LABELS_CATALOGUE` names cannot be read, or one of its entries is invalid. Nothing was fetched.',
    action: 'Correct the entry that the message names. `docs/labels.md` explains the entries.',
  },
  ASSAY_LABELS_DELISTED: {
    family: 'operator',
    meaning: 'The name of the file suggests delisted addresses, but `--label` is `sanctioned`. Nothing was changed.',
    action: 'Import the file with `--label delisted`.',
  },
  ASSAY_LABELS_EMPTY: {
    family: 'operator',
    meaning: 'The file that would replace a list contains no labels. Nothing was changed.',
    action: 'Check the file. To remove labels, use `assay labels retract`.',
  },
  ASSAY_LABELS_GREW: {
    family: 'operator',
    meaning: 'A fetched list contains far more labels than its previous version. Nothing was changed.',
    action: 'Inspect the list. If it is correct, run `assay labels update --source <name> --accept`.',
  },
  ASSAY_LABELS_OLDER: {
    family: 'operator',
    meaning: 'A fetched list is older than the version already imported. Nothing was changed.',
    action: 'Inspect the list. If it is correct, run `assay labels update --source <name> --accept`.',
  },
  ASSAY_LABELS_REFUSED: {
    family: 'operator',
    meaning: 'Some rows of a list are invalid, so nothing was imported. The report names the lines.',
    action: 'Correct the rows, or skip them with `--skip-bad`.',
  },
  ASSAY_LABELS_SHRUNK: {
    family: 'operator',
    meaning: 'A fetched list lost more than a fifth of its labels at once. Nothing was changed.',
    action: 'Inspect the list. If it is correct, run `assay labels update --source <name> --accept`.',
  },
  ASSAY_LABELS_SOURCE_FAILED: {
    family: 'retryable',
    meaning: 'The server of a list did not answer in time or returned an error. Nothing was changed.',
    action: 'None; the next update tries again. If it persists, see the runbook LabelsOutdated.',
  },
  ASSAY_LABELS_SOURCE_REFUSED: {
    family: 'operator',
    meaning:
      'The server of a list did not return a list: it redirected to another host, or sent a web page, an empty body or too much data. Nothing was changed.',
    action: 'Open the URL that the message names. If the list has moved, set its new URL in `ASSAY_LABELS_CATALOGUE`.',
  },
  ASSAY_LABELS_UNREADABLE: {
    family: 'operator',
    meaning:
      'A file cannot be read, or is not CSV with a header, JSON, JSON Lines or a list of addresses. Nothing was changed.',
    action: 'Correct the line that the message names.',
  },
  ASSAY_LABELS_UPDATE_RUNNING: {
    family: 'retryable',
    meaning: 'Another process is updating the list. This update did not start.',
    action: 'Try again when that update is done. The lock of a process that died expires after ten minutes.',
  },
  ASSAY_RESTORE_OCCUPIED: {
    family: 'operator',
    meaning: 'The data folder to restore into is not empty. Nothing was restored.',
    action: 'Move its contents away, or set `ASSAY_DATA` to another folder.',
  },
  ASSAY_RESTORE_UNFINISHED: {
    family: 'operator',
    meaning: 'A restore into the data folder is running or was interrupted. Nothing was started.',
    action: 'Wait for the restore, or run the same `assay restore` again.',
  },
  ASSAY_ROLE_STOPPED: {
    family: 'retryable',
    meaning: 'The thread of a role ended unexpectedly, so the process exited.',
    action: 'Read the log of the role, then start again.',
  },
  ASSAY_SCREEN_FILE: {
    family: 'operator',
    meaning: 'The file passed to `assay screen` cannot be read or has an unsupported format. Nothing was sent.',
    action: 'Pass a readable `.csv`, `.ndjson` or `.jsonl` file.',
  },
  ASSAY_SCREEN_OPTION: {
    family: 'operator',
    meaning:
      '`assay screen` has no API URL, no key, or an output file with an unsupported extension. Nothing was sent.',
    action:
      'Set `ASSAY_URL` and `ASSAY_KEY`. Use `.csv`, `.ndjson`, `.jsonl` or `.parquet` as the extension of `--output`.',
  },
  ASSAY_SCREEN_REFUSED: {
    family: 'operator',
    meaning: 'The API refused the list or its job; the message includes the reason. No results were saved.',
    action: 'Follow the message. To screen a list a second time, use `--again`, which starts a new job.',
  },
  ASSAY_SCREEN_UNREACHABLE: {
    family: 'retryable',
    meaning: 'The API stopped answering `assay screen`.',
    action: 'Run the command again; it continues the same job.',
  },
  ASSAY_START_FOLDER: {
    family: 'operator',
    meaning: 'The data folder cannot be created or is not writable. Nothing was started.',
    action: 'Set `ASSAY_DATA` to a folder that the user of this process may write to.',
  },
  ASSAY_START_NODE: {
    family: 'operator',
    meaning:
      'An endpoint cannot be used: it refuses the key, is on another chain, or does not answer with JSON-RPC. Nothing was started.',
    action: 'Correct `<NETWORK>_RPC_URL` as the message describes. `assay check --nodes` checks all endpoints.',
  },
  ASSAY_START_NODE_SILENT: {
    family: 'retryable',
    meaning: 'No endpoint of any network answered, so nothing was started.',
    action: 'Start the node, or correct `<NETWORK>_RPC_URL`. `assay check --nodes` checks all endpoints.',
  },
  ASSAY_START_PORT: {
    family: 'operator',
    meaning:
      'The API cannot listen on the configured address: the port is in use, or the address does not belong to this machine.',
    action: 'Stop the other process, or set `ASSAY_PORT` (`ASSAY_OPS_PORT` for indexer and scorer) to a free port.',
  },
  ASSAY_TOOL_ADDRESS: {
    family: 'operator',
    meaning:
      'An address passed to a command, or a line of its list, is not a valid address of the network, or the list does not contain the address to continue after.',
    action:
      'Correct the line that the message names and run the command again. Queueing a wallet twice only scores it twice.',
  },
  ASSAY_TOOL_API_OTHER: {
    family: 'operator',
    meaning: 'The URL is not that of an Assay API.',
    action: 'Set the URL of the API with `--url` or `ASSAY_URL`.',
  },
  ASSAY_TOOL_API_REFUSED: {
    family: 'operator',
    meaning: 'The API refused the request of a command; the message includes the reason.',
    action: 'Follow the message.',
  },
  ASSAY_TOOL_API_SILENT: {
    family: 'retryable',
    meaning: 'The API that a command calls did not answer.',
    action: 'Start an API with `assay up`, or set the URL of another with `--url` or `ASSAY_URL`.',
  },
  ASSAY_TOOL_KEY: {
    family: 'operator',
    meaning: 'The command needs an API key. Nothing was sent.',
    action: 'Set `ASSAY_KEY` or pass `--key`. `assay keys create` creates a key.',
  },
  ASSAY_TOOL_OPTION: {
    family: 'operator',
    meaning: 'An option of a command has an invalid value. Nothing was changed.',
    action: 'Correct the option that the message names. `docs/use/cli.md` lists all commands.',
  },
  ASSAY_TOOL_OUTPUT: {
    family: 'operator',
    meaning: 'The output file of a command cannot be written.',
    action: 'Name another file, or make this one writable.',
  },
  ASSAY_VERIFY_DIFFERENCES: {
    family: 'operator',
    meaning: 'Stored data differs from the chain, or aggregates differ from the base tables. Nothing was changed.',
    action:
      'Repair the range with `assay verify --fix`, or only the aggregates with `assay reindex`. `docs/operate/operating-the-stream.md` explains both.',
  },
  ASSAY_VERIFY_NOTHING: {
    family: 'operator',
    meaning: 'The range contains no stored final blocks to verify.',
    action: 'Use a range that is stored, or add the blocks with `assay backfill`.',
  },
} as const satisfies ErrorTable
