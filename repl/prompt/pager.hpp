// Shows texts longer than the screen through $PAGER.
#pragma once

#include <cstddef>
#include <string>

namespace assay::cli {

struct ScreenSize {
  std::size_t rows = 24, columns = 80;
};
ScreenSize screen_size();  // of standard output

// Shows the text through $PAGER (or less) if it has more lines than the screen. False: it was not shown, because it is
// short enough or there is no pager.
bool paged(const std::string& text);

}  // namespace assay::cli
