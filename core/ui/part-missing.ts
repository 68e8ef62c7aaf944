/** A part of the console that could not be fetched. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('页面加载失败，请检查网络后重试', { cause })
    this.name = 'PartMissing'
  }
}
