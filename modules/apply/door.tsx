export { presentApplies } from './apply-view.tsx'
