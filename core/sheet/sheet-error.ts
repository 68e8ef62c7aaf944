import { AppError } from '../error/error.ts'

/** A file that cannot be read as a sheet. `message` is one Chinese sentence that says what to do about it. */
export class SheetError extends AppError {
  /**
   * @param code stable name, for logs and tests
   * @param message sentence for the person who uploaded the file
   * @param cause what the library underneath said
   */
  constructor(code: string, message: string, cause?: unknown) {
    super(code, 400, message)
    this.cause = cause
  }
}

/** The file has no bytes. */
export const emptyFile = () => new SheetError('sheet_empty', '文件内容为空，请检查后重新上传')
/** Neither a workbook nor text. */
export const notSheet = () => new SheetError('sheet_unknown', '文件不是有效的表格，请上传 .xlsx 或 .csv 文件')
/** The binary format of before 2007. */
export const oldExcel = () => new SheetError('sheet_xls', '暂不支持 .xls 格式，请在 Excel 中另存为 .xlsx 后重新上传')
/** A web page or XML named as a sheet, as some systems export it. */
export const markupFile = () => new SheetError('sheet_markup', '文件内容是网页，不是真正的表格，请在 Excel 中打开并另存为 .xlsx 后重新上传')
/** An encrypted workbook. */
export const passwordProtected = () => new SheetError('sheet_password', '文件设有打开密码，请取消密码后重新上传')
/** A workbook that cannot be unpacked or parsed. */
export const brokenFile = (cause?: unknown) => new SheetError('sheet_broken', '文件已损坏，请在 Excel 中打开并重新保存后上传', cause)
/** Unpacks to more than is allowed. */
export const bombFile = () => new SheetError('sheet_bomb', '文件解压后过大，请删除多余的行列或拆分后重新上传')
/** Text in none of the known encodings. */
export const unknownEncoding = () => new SheetError('sheet_encoding', '无法识别文件的文字编码，请在 Excel 中另存为 .xlsx 后重新上传')
/** A row holds a cell past the last column that is read. */
export const tooManyColumns = (limit: number) => new SheetError('sheet_columns', `表格超过 ${limit} 列，请删除多余的列后重新上传`)
/** Every sheet of the workbook is hidden. */
export const noVisibleSheet = () => new SheetError('sheet_none', '文件中没有可见的工作表，请检查后重新上传')
/** The sheet that was asked for is not there. */
export const noSuchSheet = (name: string) => new SheetError('sheet_missing', `文件中没有名为「${name}」的工作表`)
/** A csv record that never ends, or a quote that is never closed. */
export const brokenRecord = (line: number, cause: unknown) =>
  new SheetError('sheet_quote', `文件第 ${line} 行附近的引号不成对，请检查后重新上传`, cause)

/**
 * Turns what a parser or the unzipper threw into one sentence for the person; failures of the disk and sentences already
 * made pass through.
 */
export function toSheetError(error: unknown): unknown {
  if (error instanceof SheetError) return error
  if (error instanceof Error && 'syscall' in error) return error
  return brokenFile(error)
}
