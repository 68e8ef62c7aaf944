export { presentPapers } from './paper-view.tsx'
