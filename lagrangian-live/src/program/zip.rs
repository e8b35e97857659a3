//! Archives of files that are stored as they are, by the format ZIP. The same files give the same bytes.

/// An archive of files with these names.
pub(crate) fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let place = bytes.len() as u32;
        let size = content.len() as u32;
        // Version 2.0, no flags, stored, midnight of 1 January 1980.
        let mut entry = Vec::new();
        for half in [20_u16, 0, 0, 0, 0x21] {
            entry.extend(half.to_le_bytes());
        }
        for word in [checksum(content), size, size] {
            entry.extend(word.to_le_bytes());
        }
        entry.extend((name.len() as u16).to_le_bytes());
        entry.extend([0, 0]);
        bytes.extend(*b"PK\x03\x04");
        bytes.extend(&entry);
        bytes.extend(name.as_bytes());
        bytes.extend(content);
        directory.extend(*b"PK\x01\x02");
        directory.extend(20_u16.to_le_bytes());
        directory.extend(&entry);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(place.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (bytes.len() as u32, files.len() as u16);
    bytes.extend(&directory);
    bytes.extend(*b"PK\x05\x06\0\0\0\0");
    for half in [count, count] {
        bytes.extend(half.to_le_bytes());
    }
    for word in [directory.len() as u32, start] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([0, 0]);
    bytes
}

/// The checksum CRC-32.
fn checksum(content: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in content {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = (sum & 1).wrapping_neg();
            sum = (sum >> 1) ^ (0xedb8_8320 & mask);
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }
}
