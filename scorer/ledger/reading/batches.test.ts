import { expect, test } from 'vitest'
import { RetryableError } from '../../../platform/errors.ts'
import { createBatches } from './batches.ts'

const overtaken = () => new RetryableError('ASSAY_STORE_READ_OVERTAKEN', 'overtaken')
const items = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Work that fails with more than `fits` items; `done` has the batches that succeeded, `tries` counts the calls. */
const working = () => {
  const done: number[][] = []
  const state = { fits: Number.POSITIVE_INFINITY, tries: 0 }
  const work = async (some: number[]) => {
    state.tries++
    if (some.length > state.fits) throw overtaken()
    done.push(some)
  }
  return { done, state, work }
}

test('every item is processed once and in order, however small batches must be', async () => {
  for (const fits of [1, 3, 7, 100]) {
    const { done, state, work } = working()
    state.fits = fits
    await createBatches(100).each('ETH', items(250), work)
    expect(done.flat()).toEqual(items(250))
  }
})

test('an overtaken batch is halved, the size is kept for the next call, and grows again up to the maximum', async () => {
  const batches = createBatches(64)
  const slow = working()
  slow.state.fits = 10
  await batches.each('ETH', items(64), slow.work)
  expect(slow.done[0]).toHaveLength(8)
  expect(batches.size('ETH')).toBeLessThanOrEqual(10)
  const quick = working()
  await batches.each('ETH', items(2_000), quick.work)
  expect(quick.done[0]?.length).toBeLessThanOrEqual(10)
  expect(batches.size('ETH')).toBe(64)
  expect(quick.state.tries).toBe(quick.done.length)
})

test('a batch smaller than the size does not change it', async () => {
  const batches = createBatches(64)
  const { state, work } = working()
  state.fits = 8
  await batches.each('ETH', items(64), work)
  const before = batches.size('ETH')
  await batches.each('ETH', items(2), work)
  expect(batches.size('ETH')).toBe(before)
})

test('a slow network does not make batches of another smaller', async () => {
  const batches = createBatches(64)
  const { state, work } = working()
  state.fits = 4
  await batches.each('BNB', items(64), work)
  expect([batches.size('BNB') < 10, batches.size('ETH')]).toEqual([true, 64])
})

test('an item that is overtaken alone, and any other failure, ends the work', async () => {
  const { state, work } = working()
  state.fits = 0
  await expect(createBatches(4).each('ETH', items(4), work)).rejects.toMatchObject({
    code: 'ASSAY_STORE_READ_OVERTAKEN',
  })
  expect(state.tries).toBe(3)
  let tries = 0
  const broken = async () => {
    tries++
    throw new RetryableError('ASSAY_STORE_UNSETTLED', 'in motion')
  }
  await expect(createBatches(4).each('ETH', items(4), broken)).rejects.toMatchObject({ code: 'ASSAY_STORE_UNSETTLED' })
  expect(tries).toBe(1)
})
