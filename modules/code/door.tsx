export { batchPresentation } from './batch-view.tsx'
export { codePresentation } from './code-view.tsx'
export { useCall } from './use-call.tsx'
