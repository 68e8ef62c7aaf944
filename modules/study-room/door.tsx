export { OrderBatches } from './order-batches.tsx'
