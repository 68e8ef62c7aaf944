import type { OwnSamples } from '../../core/testing/sample.server.ts'

/** Courses of every line: whatever is mixed of two samples, the price is not below the least. */
export const samples: OwnSamples = { offer: (_app, n) => Promise.resolve({ price: 50_00 + (n % 100) * 10, floor_price: 10_00 + (n % 100) * 10 }) }
