export { lockBase, printedBase } from './base-url.server.ts'
export { printCodes } from './print.server.ts'
export { freshCode } from './rules.server.ts'
export { addCode, serveCodeList, serveQrCodes } from './serve.server.ts'
