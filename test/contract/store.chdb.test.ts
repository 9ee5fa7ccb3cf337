import { describe } from 'vitest'
import { openTestStore } from '../kit/store.ts'
import { describeStore } from './store.suite.ts'

describe('the store in process', () => describeStore(() => openTestStore({ migrated: false })))
