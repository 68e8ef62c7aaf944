export { batchPresentation } from './batch-view.tsx'
export { codePresentation } from './code-view.tsx'
export { findCode } from './find-code.tsx'
export { useCall } from './use-call.tsx'
