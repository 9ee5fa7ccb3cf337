/** Screening jobs in the OpenAPI document. */
import type { z } from 'zod'
import { OPERATION_LIST } from '../../../schema/records/operations.ts'
import { exampleAddress } from '../../../schema/records/request.ts'
import { screenJob, screenOverview, screenQuote } from '../../../schema/records/service/screening.ts'
import { RESULT_FORMATS } from '../../screen/results.ts'
import { MAX_ROWS } from '../../screen/upload.ts'
import { exampleBodyOf } from '../errors.ts'
import { JOB_ID } from './components.ts'

type Json = { [key: string]: unknown }

const ref = (status: number) => ({ $ref: `#/components/responses/E${status}` })
const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', examples: [JOB_ID] },
  description: 'Id of the job',
}
const queryParameter = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema })

/** What a list is about. */
const OF_ROWS = [
  queryParameter('operation', 'Operation that is run for each row', {
    type: 'string',
    enum: OPERATION_LIST.map(({ id }) => id),
    default: 'fraud_check',
  }),
  queryParameter('network', 'Network of rows that name none', { type: 'string', examples: ['ETH'] }),
]

const REFUSALS = { 400: ref(400), 401: ref(401), 403: ref(403), 429: ref(429), 500: ref(500), 503: ref(503) }

const EXAMPLE = 'network,walletAddress,reference\nETH,0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045,customer 7\n'

const NOT_FOUND = exampleBodyOf('NOT_FOUND')
const RESULT_LINE = `${JSON.stringify({
  row: 1,
  network: 'ETH',
  walletAddress: exampleAddress('ETH'),
  reference: 'customer 7',
  status: 404,
  result: NOT_FOUND,
})}\n`
const RESULT_CSV = `row,network,walletAddress,reference,httpStatus,error,errorMessage,chain,status,probabilityFraud\r\n1,ETH,${exampleAddress('ETH')},customer 7,404,NOT_FOUND,${NOT_FOUND.message},,,\r\n`
const LINE_EXAMPLE = '{"network":"ETH","walletAddress":"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"}\n'

/** Paths of screening jobs. `add` gives the reference of a schema, `headers` are those of every answer, `notFound` is a 404. */
export const screeningPaths = (
  add: (schema: z.ZodType, io: 'input' | 'output') => Json,
  headers: Json,
  notFound: Json,
): Json => {
  const job = { 'application/json': { schema: add(screenJob, 'output') } }
  const common = { tags: ['screening'], security: [{ apiKey: [] }] }
  const located = { ...headers, Location: { $ref: '#/components/headers/Location' } }
  const jobAnswer = { description: 'The job', headers: located, content: job }
  const ofJob = { ...common, parameters: [idParameter] }
  return {
    '/screen': {
      post: {
        ...common,
        operationId: 'screen_upload',
        summary: 'Screen a list of addresses',
        description: `Takes up to ${MAX_ROWS.toLocaleString('en')} rows and makes a job of them. A row that cannot be read is answered with 400 in its place. Every row counts against the rows of 24 hours.`,
        parameters: [
          ...OF_ROWS,
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'A text of yours: the same upload sent again under it is one job',
            schema: { type: 'string', maxLength: 255, examples: ['customers-2026-11'] },
          },
          {
            name: 'X-Assay-Rows',
            in: 'header',
            description:
              'Rows of the upload, where you know it: an upload that is too large is then refused before it is read',
            schema: { type: 'integer', examples: [1_000] },
          },
        ],
        requestBody: {
          required: true,
          content: {
            'text/csv': { schema: { type: 'string' }, example: EXAMPLE },
            'application/x-ndjson': {
              schema: { type: 'string' },
              example: LINE_EXAMPLE,
            },
          },
        },
        responses: {
          200: {
            ...jobAnswer,
            headers: { ...located, 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } },
            description: 'The job that an earlier upload under the same key made',
          },
          202: { ...jobAnswer, description: 'A new job' },
          408: ref(408),
          409: ref(409),
          ...REFUSALS,
        },
      },
      get: {
        ...common,
        operationId: 'screen_list',
        summary: 'Your jobs and the rows you have left',
        description: 'Newest first, a hundred at most.',
        responses: {
          200: {
            description: 'Jobs and limits',
            headers,
            content: { 'application/json': { schema: add(screenOverview, 'output') } },
          },
          ...REFUSALS,
        },
      },
    },
    '/screen/quote': {
      post: {
        ...common,
        operationId: 'screen_quote',
        summary: 'What a list would take',
        description:
          'Reads a list, or its first megabyte, as POST /screen would, and tells how many rows of your limit it takes and what is left. Nothing is stored.',
        parameters: [
          ...OF_ROWS,
          queryParameter('lines', 'Lines of the whole list that are not empty, where the body is its beginning', {
            type: 'integer',
            examples: [1_000],
          }),
        ],
        requestBody: {
          required: true,
          content: {
            'text/csv': { schema: { type: 'string' }, example: EXAMPLE },
            'application/x-ndjson': { schema: { type: 'string' }, example: LINE_EXAMPLE },
          },
        },
        responses: {
          200: {
            description: 'What it takes, and how it is read',
            headers,
            content: { 'application/json': { schema: add(screenQuote, 'output') } },
          },
          408: ref(408),
          ...REFUSALS,
        },
      },
    },
    '/screen/{id}': {
      get: {
        ...ofJob,
        operationId: 'screen_job',
        summary: 'How far a job is',
        description: 'Rows that are done, by status, with rate and time left.',
        responses: { 200: jobAnswer, 404: notFound, ...REFUSALS },
      },
      delete: {
        ...ofJob,
        operationId: 'screen_delete',
        summary: 'Remove a job',
        description: 'Ends it if it runs, and removes rows and results. Its rows stay counted.',
        responses: { 200: jobAnswer, 404: notFound, ...REFUSALS },
      },
    },
    '/screen/{id}/result': {
      get: {
        ...common,
        operationId: 'screen_result',
        summary: 'Results of a finished job',
        description: 'A line for each row, in the order of the upload. CSV and Parquet have a column for each field.',
        parameters: [
          idParameter,
          queryParameter('format', 'Format, where the header accept does not name it', {
            type: 'string',
            enum: [...RESULT_FORMATS],
          }),
          queryParameter(
            'from',
            'Row to begin with: a download that broke off goes on there; Parquet always begins with the first',
            {
              type: 'integer',
              minimum: 1,
              default: 1,
            },
          ),
        ],
        responses: {
          200: {
            description: 'The results',
            headers: { ...headers, 'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' } },
            content: {
              'application/x-ndjson': { schema: { type: 'string' }, example: RESULT_LINE },
              'text/csv': { schema: { type: 'string' }, example: RESULT_CSV },
              'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
            },
          },
          404: notFound,
          409: ref(409),
          ...REFUSALS,
        },
      },
    },
  }
}
