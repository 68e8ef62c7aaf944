export { presentLearners } from './learner-view.tsx'
