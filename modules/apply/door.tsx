export { presentApplies, type ShownApply } from './apply-view.tsx'
