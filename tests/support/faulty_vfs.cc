// SPDX-License-Identifier: MIT
#include "tests/support/faulty_vfs.h"

#include <algorithm>
#include <new>

#include <sqlite3.h>

namespace fos::test {
namespace {

Faults faults;
std::int64_t failed = 0;

struct File {
  sqlite3_file base;  // must be first: SQLite casts its pointer to the whole struct
  sqlite3_file* real;
};
sqlite3_file* Real(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real; }
sqlite3_vfs* RealVfs() {
  static sqlite3_vfs* const kReal = sqlite3_vfs_find(nullptr);
  return kReal;
}

// SQLITE_OK, or the error of the next write.
int NextWrite() {
  if (faults.good_writes < 0) return SQLITE_OK;
  if (faults.good_writes > 0) {
    --faults.good_writes;
    return SQLITE_OK;
  }
  if (faults.bad_writes == 0) return SQLITE_OK;
  if (faults.bad_writes > 0) --faults.bad_writes;
  ++failed;
  return faults.error;
}

int Close(sqlite3_file* file) {
  const int status = Real(file)->pMethods ? Real(file)->pMethods->xClose(Real(file)) : SQLITE_OK;
  sqlite3_free(Real(file));
  return status;
}
int Read(sqlite3_file* file, void* into, int size, sqlite3_int64 at) {
  return Real(file)->pMethods->xRead(Real(file), into, size, at);
}
int Write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  const sqlite3_io_methods* real = Real(file)->pMethods;
  if (const int error = NextWrite(); error != SQLITE_OK) {
    if (faults.torn) real->xWrite(Real(file), from, size / 2, at);
    return error;
  }
  if (faults.room >= 0) {
    sqlite3_int64 now = 0;
    real->xFileSize(Real(file), &now);
    const sqlite3_int64 growth = std::max<sqlite3_int64>(0, at + size - now);
    if (growth > faults.room) {
      ++failed;
      return SQLITE_FULL;
    }
    faults.room -= growth;
  }
  return real->xWrite(Real(file), from, size, at);
}
int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  return Real(file)->pMethods->xTruncate(Real(file), size);
}
int Sync(sqlite3_file* file, int flags) {
  if (const int error = NextWrite(); error != SQLITE_OK) return SQLITE_IOERR_FSYNC;
  return Real(file)->pMethods->xSync(Real(file), flags);
}
int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Real(file)->pMethods->xFileSize(Real(file), size);
}
int Lock(sqlite3_file* file, int level) { return Real(file)->pMethods->xLock(Real(file), level); }
int Unlock(sqlite3_file* file, int level) {
  return Real(file)->pMethods->xUnlock(Real(file), level);
}
int CheckReservedLock(sqlite3_file* file, int* out) {
  return Real(file)->pMethods->xCheckReservedLock(Real(file), out);
}
int FileControl(sqlite3_file* file, int what, void* with) {
  return Real(file)->pMethods->xFileControl(Real(file), what, with);
}
int SectorSize(sqlite3_file* file) { return Real(file)->pMethods->xSectorSize(Real(file)); }
int DeviceCharacteristics(sqlite3_file* file) {
  return Real(file)->pMethods->xDeviceCharacteristics(Real(file));
}
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return Real(file)->pMethods->xShmMap(Real(file), page, size, extend, out);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Real(file)->pMethods->xShmLock(Real(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Real(file)->pMethods->xShmBarrier(Real(file)); }
int ShmUnmap(sqlite3_file* file, int remove) {
  return Real(file)->pMethods->xShmUnmap(Real(file), remove);
}

const sqlite3_io_methods kMethods = {2,
                                     Close,
                                     Read,
                                     Write,
                                     Truncate,
                                     Sync,
                                     FileSize,
                                     Lock,
                                     Unlock,
                                     CheckReservedLock,
                                     FileControl,
                                     SectorSize,
                                     DeviceCharacteristics,
                                     ShmMap,
                                     ShmLock,
                                     ShmBarrier,
                                     ShmUnmap,
                                     nullptr,
                                     nullptr};

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  File* const opened = reinterpret_cast<File*>(file);
  opened->base.pMethods = nullptr;
  opened->real = static_cast<sqlite3_file*>(sqlite3_malloc(RealVfs()->szOsFile));
  if (!opened->real) return SQLITE_NOMEM;
  opened->real->pMethods = nullptr;
  const int status = RealVfs()->xOpen(RealVfs(), name, opened->real, flags, out);
  if (status == SQLITE_OK) {
    opened->base.pMethods = &kMethods;
  } else {
    sqlite3_free(opened->real);
  }
  return status;
}

}  // namespace

std::string FaultyVfs() {
  static const std::string kName = "faulty";
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs made = *RealVfs();
    made.szOsFile = static_cast<int>(sizeof(File));
    made.zName = kName.c_str();
    made.xOpen = Open;
    made.pNext = nullptr;
    return made;
  }();
  static const int kRegistered = sqlite3_vfs_register(&vfs, /*makeDflt=*/0);
  return kRegistered == SQLITE_OK ? kName : "";
}

void SetFaults(const Faults& wanted) {
  faults = wanted;
  failed = 0;
}

std::int64_t FailedWrites() { return failed; }

}  // namespace fos::test
