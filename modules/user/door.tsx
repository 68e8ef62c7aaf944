export { presentLearners } from './learner-view.tsx'
export { useSend } from './use-send.tsx'
