import type { Upload } from './upload.ts'

/** What a module does with uploads of its own: found by name, so that uploads go on after the page was loaded anew. */
export interface UploadTarget {
  readonly name: string
  /** What arrived is seen where it belongs: it leaves the tray by itself. */
  readonly quiet?: true
  /** Asked before anything is sent; answers what the server has already, if it has these bytes. */
  known?(sha256: string): Promise<{ words: string; to?: string } | undefined>
  /**
   * Takes over what has arrived.
   * @param file what was sent, as the browser has it
   * @returns where it is to be seen
   */
  finish(url: string, upload: Upload, file: File): Promise<{ to?: string }>
}
