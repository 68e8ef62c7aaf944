/** Endings of question files that can be read; each has a reader in read-file.server.ts. */
export const ENDINGS = ['.docx', '.xlsx', '.csv', '.txt', '.gift', '.xml', '.zip', '.json', '.jsonl'] as const

export const EMPTY = '文件是空的，没有内容；请确认导出或保存完成后重新上传'

const SAVE = (kind: string, program: string, as: string) => `这是${kind}，不能直接读取；请用 ${program} 打开，另存为 ${as} 后上传`

/** What to do about files that people have and that nobody reads. */
const OTHERS: Readonly<Record<string, string>> = {
  doc: SAVE('旧版 Word 文件（.doc）', 'Word 或 WPS', '.docx'), wps: SAVE(' WPS 文字文件（.wps）', 'WPS', '.docx'), rtf: SAVE(' RTF 文件', 'Word 或 WPS', '.docx'), odt: SAVE(' OpenDocument 文件', 'Word 或 WPS', '.docx'), docm: SAVE('带宏的 Word 文件（.docm）', 'Word', '.docx'),
  xls: SAVE('旧版 Excel 文件（.xls）', 'Excel 或 WPS', '.xlsx'), et: SAVE(' WPS 表格文件（.et）', 'WPS', '.xlsx'), ods: SAVE(' OpenDocument 表格', 'Excel 或 WPS', '.xlsx'), xlsm: SAVE('带宏的 Excel 文件（.xlsm）', 'Excel', '.xlsx'),
  pdf: 'PDF 中的文字和公式不能可靠地读出；请用排版前的 Word 文件，或用 Word 打开 PDF、核对后另存为 .docx 上传', html: SAVE('网页文件', 'Word', '.docx'), htm: SAVE('网页文件', 'Word', '.docx'), md: '这是 Markdown 文件；请把扩展名改为 .txt 后上传',
  rar: '不支持 RAR 压缩文件；请解压后上传其中的试题文件', '7z': '不支持 7z 压缩文件；请解压后上传其中的试题文件', png: '图片不能作为试题文件；请在录题页把它作为原题图片上传', jpg: '图片不能作为试题文件；请在录题页把它作为原题图片上传', jpeg: '图片不能作为试题文件；请在录题页把它作为原题图片上传',
}

/**
 * Why a file with this name cannot be read, with what to do instead.
 * @returns null when there is a reader for it
 */
export function refusalOf(name: string): string | null {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (ENDINGS.some((known) => known === `.${ending}`)) return null
  return OTHERS[ending] ?? `不支持这种文件，请上传 ${ENDINGS.join('、')} 文件`
}
