export { presentCodes } from './code-view.tsx'
